package io.entroq.perf.cycle;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.entroq.codec.command.ModifyEncoder;
import io.entroq.codec.command.TaskDataFields;
import io.entroq.codec.message.IdFields;
import io.entroq.codec.message.Slice;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.TaskDecoder;
import io.entroq.engine.embedded.DrivenEngine;
import java.util.List;
import org.agrona.ExpandableArrayBuffer;

/**
 * Inserts a batch of tasks into queues in turn, claims as many by one name, and deletes them, as a
 * caller that drives the engine: three commands. For one thread.
 */
final class BatchCycle {
  static final IdFields CLAIMANT = new IdFields().set(0, 0x1234_5678_9ABCL);

  private static final long LEASE_MS = 30_000;
  private static final long DAY_MS = 86_400_000;
  private static final int INSERTED_AT_ONCE = 100;
  private static final int KIND_BYTES = 1;
  private static final int VALUE_BYTES = 128;

  private final DrivenEngine engine;
  private final byte[] name;
  private final byte[][] queues;
  private final int batch;
  private final IdFields id = new IdFields();
  private final TaskDataFields data = new TaskDataFields();
  private final Slice queue = new Slice(new byte[0]);
  private final ExpandableArrayBuffer command = new ExpandableArrayBuffer();
  private final ModifyEncoder modify = new ModifyEncoder();
  private long nextId = System.nanoTime();
  private int nextQueue;

  /**
   * @param name what claims name: the queue, or a pool of the queues
   */
  BatchCycle(DrivenEngine engine, String name, List<String> queues, int batch) {
    this.engine = engine;
    this.name = name.getBytes(UTF_8);
    this.queues = queues.stream().map(each -> each.getBytes(UTF_8)).toArray(byte[][]::new);
    this.batch = batch;
    data.valueKind(KIND_BYTES).value().wrap(new byte[VALUE_BYTES]);
  }

  /** Inserts a task into each queue that is available a day later. */
  static void insertForTomorrow(DrivenEngine engine, List<String> queues) {
    BatchCycle later = new BatchCycle(engine, queues.get(0), queues, INSERTED_AT_ONCE);
    later.data.byMs(DAY_MS);
    for (int i = 0; i < queues.size(); i += INSERTED_AT_ONCE) {
      later.insert();
    }
  }

  void cycle() {
    insert();
    claim();
    delete();
  }

  private void insert() {
    modify.wrap(command, 0).claimant(CLAIMANT);
    for (int i = 0; i < batch; i++) {
      data.queue().wrap(queues[nextQueue]);
      nextQueue = nextQueue + 1 == queues.length ? 0 : nextQueue + 1;
      modify.insert(id.set(0, nextId++), data);
    }
    require(engine.executeEncoded(RecordType.MODIFY, command, 0, modify.length()));
  }

  private void claim() {
    engine.claim().claimant(CLAIMANT).queue(queue.wrap(name)).leaseMs(LEASE_MS).limit(batch);
    require(engine.execute());
    if (engine.result().claimedCount() != batch) {
      throw new IllegalStateException("claimed " + engine.result().claimedCount());
    }
  }

  private void delete() {
    modify.wrap(command, 0).claimant(CLAIMANT);
    for (int i = 0; i < batch; i++) {
      TaskDecoder task = engine.result().claimed(i);
      id.set(task.idHigh(), task.idLow());
      queue.wrap(engine.result().buffer(), task.queueOffset(), task.queueLength());
      modify.delete(id, task.version(), queue);
    }
    require(engine.executeEncoded(RecordType.MODIFY, command, 0, modify.length()));
  }

  private static void require(int code) {
    if (code != ResultCodes.OK) {
      throw new IllegalStateException("result " + code);
    }
  }
}
