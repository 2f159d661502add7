module example.org/scores

go 1.20
