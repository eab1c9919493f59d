package io.entroq.perf.cycle;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.entroq.codec.command.IdFields;
import io.entroq.codec.command.Slice;
import io.entroq.codec.command.TaskFields;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.TaskDecoder;
import io.entroq.engine.embedded.DrivenEngine;

/** One task inserted, claimed and deleted by a caller that drives the engine. */
final class DrivenCycle {

  private static final long LEASE_MS = 30_000;
  private static final int KIND_BYTES = 1;

  private final DrivenEngine engine;
  private final IdFields claimant = new IdFields().set(0, 0x1234_5678_9ABCL);
  private final IdFields id = new IdFields();
  private final Slice queue = new Slice("inbox".getBytes(UTF_8));
  private final Slice noQueue = new Slice();
  private final TaskFields data = new TaskFields();
  private long nextId;

  DrivenCycle(DrivenEngine engine, int valueBytes) {
    this.engine = engine;
    this.nextId = System.nanoTime();
    data.queue().wrap("inbox".getBytes(UTF_8));
    data.valueKind(KIND_BYTES).value().wrap(new byte[valueBytes]);
  }

  void cycle() {
    insert();
    claimAndDelete();
  }

  void insert() {
    id.set(0, nextId++);
    engine.modify().claimant(claimant).insert(id, data);
    require(engine.execute());
  }

  private void claimAndDelete() {
    engine.claim().claimant(claimant).queue(queue).leaseMs(LEASE_MS);
    require(engine.execute());
    TaskDecoder task = engine.result().claimed(0);
    id.set(task.idHigh(), task.idLow());
    engine.modify().claimant(claimant).delete(id, task.version(), noQueue);
    require(engine.execute());
  }

  private static void require(int code) {
    if (code != ResultCodes.OK) {
      throw new IllegalStateException("result " + code);
    }
  }
}
