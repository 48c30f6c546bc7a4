"""Numbers in, one number out."""


def average(numbers):
    return sum(numbers) / len(numbers)


def spread(numbers):
    return max(numbers) - min(numbers)
