package io.entroq.perf.cycle;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.entroq.codec.command.TaskDataFields;
import io.entroq.codec.message.IdFields;
import io.entroq.codec.message.Slice;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.TaskDecoder;
import io.entroq.engine.embedded.DrivenEngine;

/**
 * One task inserted, claimed and deleted by a caller that drives the engine, or a part of that.
 * Objects are made for none of it. For one thread.
 */
public final class DrivenCycle {

  private static final long LEASE_MS = 30_000;
  private static final int KIND_BYTES = 1;

  private final DrivenEngine engine;
  private final IdFields claimant = new IdFields().set(0, 0x1234_5678_9ABCL);
  private final IdFields id = new IdFields();
  private final Slice queue = new Slice("inbox".getBytes(UTF_8));
  private final Slice noQueue = new Slice();
  private final TaskDataFields data = new TaskDataFields();
  private long nextId;

  /** Of tasks with values of this many bytes. */
  public DrivenCycle(DrivenEngine engine, int valueBytes) {
    this.engine = engine;
    this.nextId = System.nanoTime();
    data.queue().wrap("inbox".getBytes(UTF_8));
    data.valueKind(KIND_BYTES).value().wrap(new byte[valueBytes]);
  }

  /** All three. */
  public void cycle() {
    insert();
    claimAndDelete();
  }

  /** Inserts one. */
  public void insert() {
    id.set(0, nextId++);
    engine.modify().claimant(claimant).insert(id, data);
    require(engine.execute());
  }

  /** Claims and deletes one, which is there. */
  public void claimAndDelete() {
    require(claim());
    TaskDecoder task = engine.result().claimed(0);
    id.set(task.idHigh(), task.idLow());
    engine.modify().claimant(claimant).delete(id, task.version(), noQueue);
    require(engine.execute());
  }

  /**
   * Claims one if there is one, and does not wait.
   *
   * @return the code of the result
   */
  public int claim() {
    engine.claim().claimant(claimant).queue(queue).leaseMs(LEASE_MS);
    return engine.execute();
  }

  private static void require(int code) {
    if (code != ResultCodes.OK) {
      throw new IllegalStateException("result " + code);
    }
  }
}
