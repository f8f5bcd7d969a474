"""Why a score is what it is: errors of coreference by kind, what each kind costs, and where they are."""
