package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.entroq.codec.message.CopyIds;
import io.entroq.codec.wire.log.Genesis;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Insert;
import io.entroq.codec.wire.log.Policy;
import io.entroq.codec.wire.log.TaskData;
import io.entroq.codec.wire.log.TaskRef;
import io.entroq.codec.wire.log.ValueKind;
import io.entroq.engine.memory.Arena;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.task.TaskStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A state machine at the behavior level of topics, and words for copies of inserts. */
abstract class TopicTestBase extends PolicyTestBase {
  private final Arena plainArena = new Arena();
  private final TaskStore plain = new TaskStore(plainArena, 4);

  @Override
  @BeforeEach
  void begin() {
    apply(genesisOfTopics());
  }

  @AfterEach
  void sharedContentsAreCounted() {
    assertSharing(machine);
    plain.close();
    plainArena.close();
  }

  static Genesis genesisOfTopics() {
    return Genesis.newBuilder().setLogIdHigh(1).setSeed(7).setLevel(Levels.POOLS).build();
  }

  static Policy.Builder topic(String name, String... groups) {
    return Policy.newBuilder().setName(name).addAllGroups(Arrays.asList(groups));
  }

  /** The id of the copy of an insert. */
  static Id copy(long id, String group) {
    byte[] name = group.getBytes(StandardCharsets.UTF_8);
    long hash = CopyIds.hash(new UnsafeBuffer(name), 0, name.length);
    return Id.newBuilder().setHigh(CopyIds.high(0, hash)).setLow(CopyIds.low(0, id, hash)).build();
  }

  static TaskRef ref(Id id, int version, String queue) {
    return TaskRef.newBuilder().setId(id).setVersion(version).setQueue(queue).build();
  }

  static Insert insert(String queue, long id, TaskData.Builder data) {
    return Insert.newBuilder().setId(task(id)).setData(data.setQueue(queue)).build();
  }

  static TaskData.Builder value(int bytes) {
    byte[] value = new byte[bytes];
    Arrays.fill(value, (byte) 7);
    return TaskData.newBuilder()
        .setValueKind(ValueKind.VALUE_BYTES)
        .setValue(ByteString.copyFrom(value));
  }

  /** The slot of a task, or {@link Slab#NONE}. */
  final int slot(Id id) {
    return machine.stores.tasks.find(id.getHigh(), id.getLow());
  }

  final String queueOf(Id id) {
    Bytes name = new Bytes();
    machine.stores.queues.name(machine.stores.tasks.queue(slot(id)), name);
    return name.buffer().getStringWithoutLengthUtf8(name.offset(), name.length());
  }

  final String valueOf(Id id) {
    Bytes value = new Bytes();
    machine.stores.tasks.value(slot(id), value);
    return value.buffer().getStringWithoutLengthUtf8(value.offset(), value.length());
  }

  final int tasksIn(String queue) {
    int slot = queue(machine, queue);
    return slot < 0 ? 0 : machine.stores.queues.taskCount(slot);
  }

  final long bytesIn(String queue) {
    int slot = queue(machine, queue);
    return slot < 0 ? 0 : machine.stores.queues.bytes(slot);
  }

  /** The slots of all tasks. */
  static List<Integer> slots(StateMachine of) {
    List<Integer> slots = new ArrayList<>();
    for (int slot = 0; slot < of.stores.tasks.highWater(); slot++) {
      if (of.stores.tasks.insertSequence(slot) != 0) {
        slots.add(slot);
      }
    }
    return slots;
  }

  /**
   * Counts by a walk over all tasks how many refer to each shared content, and compares what they
   * show with what tasks of their own would.
   */
  final void assertSharing(StateMachine of) {
    TaskStore tasks = of.stores.tasks;
    Map<Integer, Integer> references = new HashMap<>();
    Bytes[] parts = {new Bytes(), new Bytes(), new Bytes(), new Bytes()};
    int own = plain.add(1, 1);
    plain.insertSequence(own, 1);
    for (int slot : slots(of)) {
      if (tasks.sharedOf(slot) != Slab.NONE) {
        references.merge(tasks.sharedOf(slot), 1, Integer::sum);
      }
      tasks.value(slot, parts[0]);
      tasks.attributes(slot, parts[1]);
      tasks.err(slot, parts[2]);
      tasks.idText(slot, parts[3]);
      plain.content(own, tasks.valueKind(slot), parts[0], parts[1], parts[2], parts[3]);
      assertThat(tasks.contentHash(slot)).as("hash of %d", slot).isEqualTo(plain.contentHash(own));
      assertThat(tasks.contentLength(slot)).isEqualTo(plain.contentLength(own));
    }
    plain.remove(own);
    assertThat(tasks.shared().size()).as("shared contents").isEqualTo(references.size());
    for (int content = 0; content < tasks.shared().highWater(); content++) {
      assertThat(tasks.shared().references(content))
          .as("references to %d", content)
          .isEqualTo(references.getOrDefault(content, 0));
    }
  }
}
