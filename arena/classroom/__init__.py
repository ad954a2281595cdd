"""A class: an assignment, its submissions, their grades and the feedback for each student."""
