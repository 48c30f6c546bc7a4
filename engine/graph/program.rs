//! Graphs linked by their calls: cycles and depth are known before anything runs.

use super::lower::{Called, Lowered};
use super::node::Graph;
use crate::model::{Act, Dialect, Library, Workflow, visit};
use crate::source::{ProjectPath, QuickMap, QuickSet, SourceId, Span};
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;
use std::sync::OnceLock;

/// A place where one workflow calls another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallSite {
    /// Where it is written.
    pub span: Span,
}

/// Every workflow of a project with its graph, linked by calls.
#[derive(Debug)]
pub struct Program {
    /// One graph for each workflow, in the same order.
    pub graphs: Vec<Graph>,
    /// Who calls whom, by position.
    pub calls: DiGraph<usize, CallSite>,
    owners: QuickMap<SourceId, usize>,
    /// The workflow that begins in a file, by position.
    entries: QuickMap<SourceId, usize>,
    homes: QuickSet<ProjectPath>,
    /// The workflow that the same folder declares in another way, by position.
    beside: QuickMap<usize, usize>,
    /// The names of all values that calls hand over, found where somebody asks for one.
    handed: OnceLock<QuickSet<String>>,
}

/// Links the calls between workflows, each of them lowered.
pub fn link(library: &Library, workflows: &[Workflow], lowered: Vec<Lowered>) -> Program {
    let mut owner: QuickMap<SourceId, usize> = QuickMap::default();
    for (at, workflow) in workflows.iter().enumerate() {
        for file in &workflow.files {
            owner.entry(*file).or_insert(at);
        }
    }
    let mut entries: QuickMap<SourceId, usize> = QuickMap::default();
    for (at, workflow) in workflows.iter().enumerate() {
        owner.insert(workflow.home, at);
        if let Some(file) = workflow.first_file() {
            entries.entry(file).or_insert(at);
        }
    }
    for (at, workflow) in workflows.iter().enumerate() {
        entries.insert(workflow.home, at);
    }
    let mut calls = DiGraph::new();
    let nodes: Vec<NodeIndex> = (0..workflows.len()).map(|at| calls.add_node(at)).collect();
    let mut graphs = Vec::with_capacity(lowered.len());
    for (at, (workflow, Lowered { graph, called, .. })) in workflows.iter().zip(lowered).enumerate() {
        for Called { file, span, tagged } in called {
            if let Some(to) = entries.get(&file)
                && (*to != at || tagged && file == workflow.home)
            {
                calls.add_edge(nodes[at], nodes[*to], CallSite { span });
            }
        }
        graphs.push(graph);
    }
    let homes = workflows
        .iter()
        .map(|workflow| library.source(workflow.home).path().folder())
        .collect();
    Program {
        graphs,
        calls,
        owners: owner,
        entries,
        homes,
        beside: beside(library, workflows),
        handed: OnceLock::new(),
    }
}

/// Pairs each `SKILL.md` with the `workflow.yaml` of its folder.
fn beside(library: &Library, workflows: &[Workflow]) -> QuickMap<usize, usize> {
    let folder = |at: usize| library.source(workflows[at].home).path().folder();
    let declared = |dialect: Dialect| (0..workflows.len()).filter(move |at| workflows[*at].dialect == dialect);
    let is_main = |at: &usize| library.source(workflows[*at].home).path().stem() == "workflow";
    let in_yaml: QuickMap<ProjectPath, usize> = declared(Dialect::Yaml)
        .filter(is_main)
        .map(|at| (folder(at), at))
        .collect();
    if in_yaml.is_empty() {
        return QuickMap::default();
    }
    let skills = declared(Dialect::Skill).filter_map(|at| Some((at, *in_yaml.get(&folder(at))?)));
    skills.flat_map(|(one, other)| [(one, other), (other, one)]).collect()
}

/// Collects the names of the values that calls hand over.
fn handed(workflows: &[Workflow]) -> QuickSet<String> {
    let mut names = QuickSet::default();
    for step in workflows.iter().flat_map(Workflow::all_steps) {
        visit(&step.body, &mut |instruction| {
            if let Act::Invoke(invoke) = &instruction.act {
                names.extend(invoke.params.iter().map(|param| param.name.text.clone()));
            }
        });
    }
    names
}

impl Program {
    /// Returns the workflow a file is part of, by position: the one it declares, or else the first that claims it.
    pub fn owner(&self, file: SourceId) -> Option<usize> {
        self.owners.get(&file).copied()
    }

    /// Returns the workflow that is run where a file is called, by position: the one it declares, or else the first whose
    /// steps begin in it. A checklist, a template and a later step begin none.
    pub fn entry(&self, file: SourceId) -> Option<usize> {
        self.entries.get(&file).copied()
    }

    /// Returns the workflow that the folder of another one declares too, by position: a `SKILL.md` and the `workflow.yaml`
    /// beside it share their step files and their names.
    pub fn beside(&self, at: usize) -> Option<usize> {
        self.beside.get(&at).copied()
    }

    /// Says whether a workflow is declared in a folder.
    pub fn is_home(&self, folder: &ProjectPath) -> bool {
        self.homes.contains(folder)
    }

    /// Says whether a call of one of these workflows hands over a value of this name.
    pub fn is_handed(&self, workflows: &[Workflow], name: &str) -> bool {
        self.handed.get_or_init(|| handed(workflows)).contains(name)
    }

    /// Returns the groups of workflows that call each other in a circle, and those that call themselves, by position.
    pub fn cycles(&self) -> Vec<Vec<usize>> {
        tarjan_scc(&self.calls)
            .into_iter()
            .filter(|group| group.len() > 1 || group.iter().any(|node| self.calls.contains_edge(*node, *node)))
            .map(|group| {
                let mut members: Vec<usize> = group.iter().map(|node| self.calls[*node]).collect();
                members.sort_unstable();
                members
            })
            .collect()
    }

    /// Returns the longest chain of calls that starts at a workflow, itself first; circles are cut.
    pub fn deepest(&self, from: usize) -> Vec<usize> {
        let mut best = Vec::new();
        let mut chain = Vec::new();
        let mut budget = 10_000;
        self.descend(from, &mut chain, &mut best, &mut budget);
        best
    }

    fn descend(&self, at: usize, chain: &mut Vec<usize>, best: &mut Vec<usize>, budget: &mut u32) {
        if chain.contains(&at) || *budget == 0 || chain.len() > 16 {
            return;
        }
        *budget -= 1;
        chain.push(at);
        if chain.len() > best.len() {
            best.clone_from(chain);
        }
        for next in self.calls.neighbors(NodeIndex::new(at)) {
            self.descend(self.calls[next], chain, best, budget);
        }
        chain.pop();
    }

    /// Returns the workflows that one calls, by position.
    pub fn called(&self, from: usize) -> impl Iterator<Item = usize> {
        let nodes = self.calls.neighbors(NodeIndex::new(from));
        nodes.map(|node| self.calls[node])
    }

    /// Returns a workflow and everything that is called from there on, each once, in the order it is come to.
    pub fn reached(&self, from: usize) -> Vec<usize> {
        let mut found = vec![from];
        let mut next = 0;
        while let Some(at) = found.get(next).copied() {
            let mut called: Vec<usize> = self.called(at).filter(|at| !found.contains(at)).collect();
            called.sort_unstable();
            called.dedup();
            found.append(&mut called);
            next += 1;
        }
        found
    }

    /// Returns the workflow that a call in `from` leads to, by where the call is written.
    pub fn called_at(&self, from: usize, span: Span) -> Option<usize> {
        let mut edges = self.calls.edges(NodeIndex::new(from));
        let edge = edges.find(|edge| edge.weight().span == span)?;
        Some(self.calls[edge.target()])
    }

    /// Returns where `from` calls `to`.
    pub fn call_site(&self, from: usize, to: usize) -> Option<CallSite> {
        let edge = self.calls.find_edge(NodeIndex::new(from), NodeIndex::new(to))?;
        self.calls.edge_weight(edge).copied()
    }
}
