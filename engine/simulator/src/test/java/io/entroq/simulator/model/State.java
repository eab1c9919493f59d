package io.entroq.simulator.model;

import java.util.LinkedHashSet;

/** Everything that the model remembers between two steps. */
final class State {
  final TaskTable tasks = new TaskTable();
  final DocTable docs = new DocTable();
  final WaiterTable waiters = new WaiterTable();
  final ClientTable clients = new ClientTable();

  /** Queues that have, or had, both a waiter and an available task; first come, first served. */
  final LinkedHashSet<String> serveList = new LinkedHashSet<>();

  /** The behaviour level; 0 before Genesis. */
  int level;

  long sequence;
  long nowMs;
}
