//! What leads to what in, what leads to each other out.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

/// Puts what leads to each other into groups: answers the number of the group of each; `next` says what each leads to.
///
/// It takes no more room on the stack for a long chain than for a short one.
pub(crate) fn groups(next: &[Vec<usize>]) -> Vec<usize> {
    // Mostly nothing is led to that leads on, and so nothing leads back.
    if next.iter().flatten().all(|to| next[*to].is_empty()) {
        return (0..next.len()).collect();
    }
    let mut graph: DiGraph<(), ()> = DiGraph::new();
    let nodes: Vec<_> = next.iter().map(|_| graph.add_node(())).collect();
    for (from, all) in next.iter().enumerate() {
        for to in all {
            graph.add_edge(nodes[from], nodes[*to], ());
        }
    }
    let mut numbers = vec![0; next.len()];
    for (number, group) in kosaraju_scc(&graph).iter().enumerate() {
        for node in group {
            numbers[node.index()] = number;
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::groups;

    #[test]
    fn what_leads_to_each_other_has_one_number() {
        let found = groups(&[vec![1], vec![2], vec![0, 3], vec![4], vec![4], Vec::new()]);
        assert!(found[0] == found[1] && found[1] == found[2]);
        let others: std::collections::BTreeSet<usize> = found[2..].iter().copied().collect();
        assert_eq!(others.len(), 4);
    }

    #[test]
    fn what_leads_nowhere_back_has_a_number_of_its_own() {
        for next in [
            vec![vec![1, 2, 1], vec![], vec![]],
            vec![vec![1], vec![2], vec![]],
            vec![vec![], vec![]],
            vec![],
        ] {
            let found: std::collections::BTreeSet<usize> = groups(&next).into_iter().collect();
            assert_eq!(found.len(), next.len());
        }
        assert_eq!(groups(&[vec![0]]).len(), 1);
    }

    #[test]
    fn a_long_chain_is_followed_to_its_end() {
        let many = 100_000;
        let next: Vec<Vec<usize>> = (0..many).map(|at| vec![(at + 1) % many]).collect();
        let found = groups(&next);
        assert!(found.iter().all(|number| *number == found[0]));
    }
}
