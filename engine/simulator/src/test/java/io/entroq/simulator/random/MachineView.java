package io.entroq.simulator.random;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.entroq.codec.wire.log.Doc;
import io.entroq.codec.wire.log.Facade;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.ListDocs;
import io.entroq.codec.wire.log.ListQueues;
import io.entroq.codec.wire.log.ListTasks;
import io.entroq.codec.wire.log.QueueStats;
import io.entroq.codec.wire.log.Result;
import io.entroq.codec.wire.log.Task;
import io.entroq.engine.result.DocsPage;
import io.entroq.engine.result.Page;
import io.entroq.engine.result.QueuesPage;
import io.entroq.engine.result.TasksPage;
import io.entroq.engine.state.StateMachine;
import java.util.Comparator;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** Lists the content of a state machine as messages. */
final class MachineView {
  private static final int SLICE_EFFORT = 100;

  private final StateMachine machine;

  MachineView(StateMachine machine) {
    this.machine = machine;
  }

  long taskCount() {
    return machine.taskCount();
  }

  int waiterCount() {
    return machine.parkedCount();
  }

  /** All queues that hold tasks, by name. */
  List<QueueStats> queues(long nowMs) {
    return list(ListQueues.getDefaultInstance(), nowMs).stream()
        .sorted(Comparator.comparing(QueueStats::getName))
        .toList();
  }

  /** The names of all queues that hold tasks, in order. */
  List<String> queueNames() {
    return queues(machine.logTimeMs()).stream().map(QueueStats::getName).toList();
  }

  /** All tasks of a queue, by arrival. */
  List<Task> tasks(String queue) {
    return list(ListTasks.newBuilder().setQueue(queue).build(), machine.logTimeMs()).stream()
        .sorted(
            Comparator.comparingLong(Task::getArrivalMs)
                .thenComparingLong(task -> task.getId().getHigh())
                .thenComparingLong(task -> task.getId().getLow()))
        .toList();
  }

  /** The task with the key of an id, ignoring its text, or null. */
  Task find(Id id) {
    ListTasks query =
        ListTasks.newBuilder()
            .setFacade(Facade.FACADE_V0)
            .addIds(id.toBuilder().clearText())
            .build();
    return list(query, machine.logTimeMs()).stream().findAny().orElse(null);
  }

  /** The doc with an id, or null. */
  Doc findDoc(String namespace, Id id) {
    ListDocs query = ListDocs.newBuilder().setNamespace(namespace).addIds(id).build();
    return read(new DocsPage(bytes(query), 0, query.getSerializedSize()), machine.logTimeMs())
        .getDocsList()
        .stream()
        .findAny()
        .orElse(null);
  }

  /** All docs of a set. */
  List<Doc> docs(String namespace, String key) {
    ListDocs query = ListDocs.newBuilder().setNamespace(namespace).setKeyExact(key).build();
    return read(new DocsPage(bytes(query), 0, query.getSerializedSize()), machine.logTimeMs())
        .getDocsList();
  }

  List<Task> list(ListTasks query, long nowMs) {
    return read(new TasksPage(bytes(query), 0, query.getSerializedSize()), nowMs).getTasksList();
  }

  List<QueueStats> list(ListQueues query, long nowMs) {
    return read(new QueuesPage(bytes(query), 0, query.getSerializedSize()), nowMs).getQueuesList();
  }

  private static UnsafeBuffer bytes(Message query) {
    return new UnsafeBuffer(query.toByteArray());
  }

  private Result read(Page page, long nowMs) {
    Result.Builder all = Result.newBuilder();
    boolean isLast = false;
    while (!isLast) {
      while (page.fill(machine, nowMs, SLICE_EFFORT)) {
        // Slice by slice.
      }
      byte[] bytes = new byte[page.length()];
      page.buffer().getBytes(0, bytes);
      try {
        all.mergeFrom(bytes);
      } catch (InvalidProtocolBufferException e) {
        throw new AssertionError(e);
      }
      isLast = page.isLast();
      if (!isLast) {
        page.next();
      }
    }
    return all.build();
  }
}
