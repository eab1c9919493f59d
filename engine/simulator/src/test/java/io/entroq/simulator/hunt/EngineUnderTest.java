package io.entroq.simulator.hunt;

import io.entroq.codec.command.MalformedMessageException;
import io.entroq.codec.result.ListDocsDecoder;
import io.entroq.codec.result.ListNamespacesDecoder;
import io.entroq.codec.result.ListQueuesDecoder;
import io.entroq.codec.result.ListTasksDecoder;
import io.entroq.codec.wire.log.Doc;
import io.entroq.codec.wire.log.ListDocs;
import io.entroq.codec.wire.log.ListNamespaces;
import io.entroq.codec.wire.log.ListQueues;
import io.entroq.codec.wire.log.ListTasks;
import io.entroq.codec.wire.log.NamespaceStats;
import io.entroq.codec.wire.log.QueueStats;
import io.entroq.codec.wire.log.Task;
import io.entroq.engine.listing.DocCursor;
import io.entroq.engine.listing.NamespaceCursor;
import io.entroq.engine.listing.QueueCursor;
import io.entroq.engine.listing.TaskCursor;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import io.entroq.simulator.check.Violation;
import io.entroq.simulator.model.StepAnswers;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** The real state machine, spoken to in messages. */
final class EngineUnderTest {
  /** A few tasks or queues. */
  private static final int SLICE_EFFORT = 100;

  private final StateMachine machine;
  private final AnswerRecorder recorder = new AnswerRecorder();
  private int listings;

  EngineUnderTest(StateMachineConfig config) {
    this(new StateMachine(config));
  }

  EngineUnderTest(StateMachine machine) {
    this.machine = machine;
  }

  StateMachine machine() {
    return machine;
  }

  StepAnswers apply(LoggedRecord entry) {
    machine.apply(
        entry.type(),
        entry.payload(),
        0,
        entry.payload().capacity(),
        entry.crc(),
        entry.logTimeMs(),
        entry.sequence(),
        recorder);
    return recorder.take();
  }

  /** Whether the command must be logged; then {@link #commit} follows, else {@link #answer}. */
  boolean prepare(LoggedRecord entry) {
    int outcome =
        machine.prepare(
            entry.type(), entry.payload(), 0, entry.payload().capacity(), entry.logTimeMs());
    return outcome == StateMachine.EXECUTE;
  }

  /** Shows it something that may be no command; nothing comes of it. */
  void look(LoggedRecord entry) {
    try {
      prepare(entry);
    } catch (MalformedMessageException e) {
      Violation.check(e.getMessage() != null, "a refused message is told why", "@", "a reason", e);
    }
  }

  StepAnswers commit(LoggedRecord entry) {
    machine.commit(entry.sequence(), entry.crc(), recorder);
    return recorder.take();
  }

  StepAnswers answer() {
    machine.answer(recorder);
    return recorder.take();
  }

  List<Task> list(ListTasks query, long nowMs) {
    ListTasksDecoder decoder = new ListTasksDecoder();
    UnsafeBuffer buffer = new UnsafeBuffer(query.toByteArray());
    decoder.wrap(buffer, 0, buffer.capacity());
    // Every other listing goes the way of those that are too long for the short way.
    listings++;
    TaskCursor cursor = new TaskCursor(decoder, listings % 2 == 0 ? 0 : TaskCursor.CAPTURED_MAX);
    List<Task> listed = new ArrayList<>();
    boolean goesOn = true;
    while (goesOn) {
      goesOn =
          machine.listTasks(
              cursor, nowMs, SLICE_EFFORT, task -> listed.add(AnswerRecorder.message(task)));
    }
    return listed;
  }

  List<QueueStats> list(ListQueues query, long nowMs) {
    ListQueuesDecoder decoder = new ListQueuesDecoder();
    UnsafeBuffer buffer = new UnsafeBuffer(query.toByteArray());
    decoder.wrap(buffer, 0, buffer.capacity());
    List<QueueStats> queues = new ArrayList<>();
    StatsRecorder stats = new StatsRecorder(query.getOmitStats(), queues);
    QueueCursor cursor = new QueueCursor(decoder);
    boolean goesOn = true;
    while (goesOn) {
      goesOn = machine.listQueues(cursor, nowMs, SLICE_EFFORT, stats);
    }
    return queues;
  }

  List<Doc> list(ListDocs query) {
    ListDocsDecoder decoder = new ListDocsDecoder();
    UnsafeBuffer buffer = new UnsafeBuffer(query.toByteArray());
    decoder.wrap(buffer, 0, buffer.capacity());
    DocCursor cursor = new DocCursor(decoder);
    List<Doc> listed = new ArrayList<>();
    boolean goesOn = true;
    while (goesOn) {
      goesOn =
          machine.listDocs(cursor, SLICE_EFFORT, doc -> listed.add(AnswerRecorder.message(doc)));
    }
    return listed;
  }

  List<NamespaceStats> list(ListNamespaces query, long nowMs) {
    ListNamespacesDecoder decoder = new ListNamespacesDecoder();
    UnsafeBuffer buffer = new UnsafeBuffer(query.toByteArray());
    decoder.wrap(buffer, 0, buffer.capacity());
    NamespaceCursor cursor = new NamespaceCursor(decoder);
    List<NamespaceStats> listed = new ArrayList<>();
    boolean goesOn = true;
    while (goesOn) {
      goesOn =
          machine.listNamespaces(
              cursor,
              nowMs,
              SLICE_EFFORT,
              (name, offset, length, docs, claimed) ->
                  listed.add(
                      NamespaceStats.newBuilder()
                          .setName(name.getStringWithoutLengthUtf8(offset, length))
                          .setDocs(docs)
                          .setClaimed(claimed)
                          .build()));
    }
    return listed;
  }
}
