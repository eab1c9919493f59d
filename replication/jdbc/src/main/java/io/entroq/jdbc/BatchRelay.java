package io.entroq.jdbc;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.jdbc.OutboxTable.Batch;
import io.entroq.jdbc.OutboxTable.Malformed;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Brings batches of rows to the queue, each row once, in the order of the rows. For one thread, but
 * there may be many of them, in many processes.
 *
 * <p>Queue and database share no transaction, so a row may still be there when its task is already
 * in the queue, or even done. What tells is a doc in the queue, the {@link LastBatch}. A batch
 * takes these steps:
 *
 * <ol>
 *   <li>read the doc, and delete the rows that it lists;
 *   <li>read the oldest rows;
 *   <li>in one Modify, insert their tasks and replace the doc, at the version that was read, by one
 *       that lists them;
 *   <li>delete them.
 * </ol>
 *
 * <p>If a relay dies after step 3, the next one deletes the rows in step 1. If it stalls before
 * step 3, until others have gone on, its Modify names an old version and fails. So when a Modify
 * succeeds, nobody has relayed anything since step 1, and what was relayed before was deleted when
 * step 2 read the rows. This holds whatever becomes of the tasks meanwhile, and for all time. It
 * needs a database that keeps what it has committed, and shows it to those who read later.
 */
final class BatchRelay {
  /** A batch is a request, of which a queue takes 8 MiB. */
  private static final long BYTES_MAX = 1 << 20;

  /** How long rows of a queue wait that had no room. */
  static final Duration HOLD = Duration.ofSeconds(1);

  /** For what does not pass by itself. */
  private static final Duration LONG_HOLD = Duration.ofSeconds(10);

  private final OutboxTable table;
  private final EntroQ queue;
  private final int rowsMax;
  private final int versionMax;
  private final HeldQueues held = new HeldQueues();

  /** As long as this one knows it, and has deleted its rows; else null. */
  private LastBatch last;

  /** How many rows to send one by one, as one of them may spoil a batch. */
  private int alone;

  private final AtomicLong relayed = new AtomicLong();
  private final AtomicLong conflicts = new AtomicLong();

  /** What came of a batch. */
  enum BatchResult {
    /** There may be more rows to relay now. */
    MORE,
    /** Another relay was faster. */
    CONFLICT,
    /** There is nothing to relay now. */
    IDLE
  }

  /**
   * @param rowsMax rows of a batch, at most
   * @param versionMax version of the doc at which another one takes its place
   */
  BatchRelay(OutboxTable table, EntroQ queue, int rowsMax, int versionMax) {
    this.table = table;
    this.queue = queue;
    this.rowsMax = rowsMax;
    this.versionMax = versionMax;
  }

  long relayed() {
    return relayed.get();
  }

  long conflicts() {
    return conflicts.get();
  }

  /** Why rows of some queues wait. */
  Optional<String> problem() {
    return held.problem();
  }

  /**
   * Relays a batch.
   *
   * @param connection in a transaction without statements; commits
   * @throws SQLException if the database is away; nothing is lost, as with other exceptions
   */
  BatchResult relay(Connection connection) throws SQLException {
    if (held.areTooMany()) {
      return BatchResult.IDLE;
    }
    LastBatch from = last(connection);
    Batch batch = table.read(connection, held.names(), alone > 0 ? 1 : rowsMax, BYTES_MAX);
    for (Malformed row : batch.malformed()) {
      setAside(connection, row.key(), row.problem());
    }
    if (batch.rows().isEmpty()) {
      alone = 0;
      return batch.malformed().isEmpty() ? BatchResult.IDLE : BatchResult.MORE;
    }
    alone = Math.max(0, alone - 1);
    return relay(connection, from, batch.rows());
  }

  /** Any copy of the doc serves, as an old one fails. What it lists must be gone. */
  private LastBatch last(Connection connection) throws SQLException {
    if (last == null) {
      LastBatch read = LastBatch.read(queue, "outbox/" + table.identity(connection));
      table.delete(connection, read.rows());
      last = read;
    }
    return last;
  }

  private BatchResult relay(Connection connection, LastBatch from, List<OutboxRow> rows)
      throws SQLException {
    List<OutboxRow.Key> keys = rows.stream().map(OutboxRow::key).toList();
    Modification.Builder modification = from.next(keys, versionMax).toBuilder();
    boolean canCarryTraces = queue.hasPolicies();
    rows.stream()
        .map(OutboxRow::insert)
        .map(insert -> canCarryTraces ? insert : insert.withTrace(""))
        .forEach(modification::insert);
    // Until its rows are deleted.
    last = null;
    ModifyResult result;
    try {
      result = queue.modifySkippingColliding(modification.build());
    } catch (EntroQException e) {
      last = handle(connection, rows, e) ? from : null;
      return BatchResult.MORE;
    }
    if (isConflict(result)) {
      conflicts.incrementAndGet();
      return BatchResult.CONFLICT;
    }
    LastBatch next = from.after(result.orThrow(), keys);
    table.delete(connection, keys);
    last = next;
    relayed.addAndGet(rows.size());
    return BatchResult.MORE;
  }

  private static boolean isConflict(ModifyResult result) {
    return result instanceof ModifyResult.DependencyFailure failure
        && !(failure.docs().missing().isEmpty() && failure.docs().collisions().isEmpty());
  }

  /**
   * Handles a refusal of some rows.
   *
   * @return true, as nothing was done
   * @throws EntroQException if all rows have to wait
   */
  private boolean handle(Connection connection, List<OutboxRow> rows, EntroQException e)
      throws SQLException {
    boolean isRefusal =
        e instanceof EntroQException.InvalidArgument
            || e instanceof EntroQException.PermissionDenied
            || e instanceof EntroQException.ResourceExhausted;
    Optional<String> full =
        e.fullQueue()
            .filter(any -> e.isTemporary())
            .filter(name -> rows.stream().anyMatch(row -> row.insert().queue().equals(name)));
    if (!isRefusal) {
      throw e;
    }
    OutboxRow first = rows.get(0);
    if (full.isPresent()) {
      held.hold(full.get(), HOLD, e.getMessage());
    } else if (rows.size() > 1) {
      alone = rows.size();
    } else if (e instanceof EntroQException.InvalidArgument) {
      setAside(connection, first.key(), "refused by the queue: " + e.getMessage());
    } else {
      // The others need not be sent one by one.
      alone = 0;
      held.hold(
          first.insert().queue(),
          e.isTemporary() ? HOLD : LONG_HOLD,
          String.valueOf(e.getMessage()));
    }
    return true;
  }

  private void setAside(Connection connection, OutboxRow.Key row, String problem)
      throws SQLException {
    table.setAside(connection, row, problem);
    Relay.LOG.log(
        System.Logger.Level.WARNING,
        "row {0} of {1} is set aside, and others go on: {2}",
        Long.toString(row.id()),
        table.name(),
        problem);
  }
}
