package io.entroq.perf.cycle;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.entroq.codec.command.TaskDataFields;
import io.entroq.codec.message.IdFields;
import io.entroq.codec.message.Slice;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.TaskDecoder;
import io.entroq.codec.wire.IdKey;
import io.entroq.engine.embedded.DrivenEngine;

/**
 * Inserts, claims and deletes a task as a caller that drives the engine, without allocation. For
 * one thread.
 */
public final class DrivenCycle {
  private static final long LEASE_MS = 30_000;
  private static final int KIND_BYTES = 1;

  private final DrivenEngine engine;
  private final IdFields claimant = new IdFields().set(0, 0x1234_5678_9ABCL);
  private final IdFields id = new IdFields();
  private final Slice queue;
  private final TaskDataFields data = new TaskDataFields();
  private long nextId;

  public DrivenCycle(DrivenEngine engine, int valueBytes) {
    this(engine, "inbox", valueBytes);
  }

  public DrivenCycle(DrivenEngine engine, String queue, int valueBytes) {
    this.engine = engine;
    this.queue = new Slice(queue.getBytes(UTF_8));
    this.nextId = System.nanoTime();
    data.queue().wrap(queue.getBytes(UTF_8));
    data.valueKind(KIND_BYTES).value().wrap(new byte[valueBytes]);
  }

  public void cycle() {
    insert();
    claimAndDelete();
  }

  public void insert() {
    id.set(0, nextId++);
    engine.modify().claimant(claimant).insert(id, data);
    require(engine.execute());
  }

  /** Claims and deletes a task, which must be available. */
  public void claimAndDelete() {
    require(claim());
    TaskDecoder task = engine.result().claimed(0);
    id.set(task.idHigh(), task.idLow());
    engine.modify().claimant(claimant).delete(id, task.version(), data.queue());
    require(engine.execute());
  }

  /**
   * Claims a task if one is available.
   *
   * @return the code of the result
   */
  public int claim() {
    engine.claim().claimant(claimant).queue(queue).leaseMs(LEASE_MS);
    return engine.execute();
  }

  /** The id of the task that was inserted or deleted last. */
  public IdKey lastId() {
    return new IdKey(id.high(), id.low(), "");
  }

  private static void require(int code) {
    if (code != ResultCodes.OK) {
      throw new IllegalStateException("result " + code);
    }
  }
}
