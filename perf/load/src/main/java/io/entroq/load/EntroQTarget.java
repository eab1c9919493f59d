package io.entroq.load;

import io.entroq.api.Arrival;
import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.Value;
import io.entroq.load.ledger.Balance;
import io.entroq.load.ledger.TaskLedger;
import io.entroq.load.ledger.TaskSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Queues of an EntroQ with unique names, and a backlog. */
final class EntroQTarget implements RunTarget {
  private static final int COMMAND_BYTES = 1 << 20;

  private final LoadConfig config;
  private final List<EntroQ> connections;
  private final QueueNames names;
  private final TaskLedger ledger;
  private final TaskSource backlog;
  private final RemainderCheck check;
  private final LoadListener listener;
  private final BooleanSupplier isInterrupted;

  /**
   * @param connections to the same queues; callers are spread over them
   * @param backlog numbers the tasks that are inserted before the callers begin
   */
  EntroQTarget(
      LoadConfig config,
      List<EntroQ> connections,
      QueueNames names,
      TaskLedger ledger,
      TaskSource backlog,
      LoadListener listener,
      LoadClock clock,
      BooleanSupplier isInterrupted) {
    this.config = config;
    this.connections = List.copyOf(connections);
    this.names = names;
    this.ledger = ledger;
    this.backlog = backlog;
    this.listener = listener;
    this.isInterrupted = isInterrupted;
    check = new RemainderCheck(queue(), names, ledger, listener, clock, isInterrupted);
  }

  private EntroQ queue() {
    return connections.get(0);
  }

  @Override
  public void prepare() {
    refuseOthers();
    int batch =
        Math.max(
            1,
            Math.min(
                LoadConfig.batchMax(config.valueBytes()), COMMAND_BYTES / config.valueBytes()));
    long tasks = 0;
    while (tasks < config.backlog() && !isInterrupted.getAsBoolean()) {
      int next = (int) Math.min(batch, config.backlog() - tasks);
      insertBacklog(tasks, backlog.next(next));
      tasks += next;
      listener.loading(tasks, config.backlog());
    }
  }

  /** The name of a run is random, so a collision is very unlikely. */
  private void refuseOthers() {
    if (!queue().areQueuesEmpty(QueueQuery.startingWith(names.prefix()))) {
      throw new LoadException(
          "Queues named %s... exist already. Run it again: it will choose another name."
              .formatted(names.prefix()));
    }
  }

  private void insertBacklog(long first, List<byte[]> values) {
    Insert[] inserts = new Insert[values.size()];
    for (int i = 0; i < inserts.length; i++) {
      inserts[i] = insert(names.ofBacklog(first + i), values.get(i));
    }
    backlog.begin(inserts.length);
    EntroQSession.insert(queue(), Modification.insert(inserts));
    backlog.acknowledge();
  }

  static Insert insert(String name, byte[] value) {
    Value content = Value.wrap(Value.Kind.BYTES, value);
    return new Insert(Optional.empty(), name, Arrival.now(), content, 0, "");
  }

  @Override
  public LoadSession open(int caller) {
    return new EntroQSession(
        connections.get(caller % connections.size()),
        names.of(caller, config.callers()),
        ledger::leaveOpen);
  }

  @Override
  public Duration drain() {
    return Duration.ZERO;
  }

  @Override
  public Balance check(Totals totals) {
    return check.run(totals);
  }

  @Override
  public String queuePrefix() {
    return names.prefix();
  }
}
