//! Pairs of claims.
