package io.entroq.engine.call;

import io.entroq.api.Doc;
import io.entroq.api.DocSet;
import io.entroq.api.NamespaceStats;
import io.entroq.api.Policies;
import io.entroq.api.QueueStats;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskRef;
import io.entroq.api.Value;
import io.entroq.api.spi.PolicyNumbers;
import io.entroq.codec.message.DeadReasons;
import io.entroq.codec.result.DocDecoder;
import io.entroq.codec.result.FailureDecoder;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.NamespaceStatsDecoder;
import io.entroq.codec.result.QueueStatsDecoder;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.codec.result.TaskDecoder;
import io.entroq.codec.wire.IdKey;
import io.entroq.codec.wire.Ids;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.agrona.DirectBuffer;

/** Converts results to the API's records. One thread at a time; reused. */
final class ReplyReader {
  private static final Value.Kind[] KINDS = {Value.Kind.ABSENT, Value.Kind.BYTES, Value.Kind.JSON};

  /** By {@link DeadReasons}. */
  private static final Task.DeadReason[] DEAD_REASONS = {
    null,
    Task.DeadReason.FAILED,
    Task.DeadReason.LAPSED,
    Task.DeadReason.EXPIRED,
    Task.DeadReason.OVERFLOW
  };

  private final ResultDecoder result = new ResultDecoder();

  ReplyReader wrap(DirectBuffer buffer, int length) {
    result.wrap(buffer, 0, length);
    return this;
  }

  ResultDecoder result() {
    return result;
  }

  int code() {
    return result.code();
  }

  long logTimeMs() {
    return result.logTimeMs();
  }

  List<Task> claimed() {
    int count = result.claimedCount();
    if (count == 0) {
      return List.of();
    }
    List<Task> tasks = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      tasks.add(whole(result.claimed(i)));
    }
    return tasks;
  }

  /** The failed tasks. */
  List<Task> failed() {
    List<Task> tasks = new ArrayList<>(result.failedCount());
    for (int i = 0; i < result.failedCount(); i++) {
      tasks.add(whole(result.failed(i)));
    }
    return tasks;
  }

  /** Policies that were written or listed. */
  List<Policies.Entry> policies() {
    List<Policies.Entry> entries = new ArrayList<>(result.policyCount());
    for (int i = 0; i < result.policyCount(); i++) {
      entries.add(PolicyResults.entry(result.buffer(), result.policy(i)));
    }
    return entries;
  }

  /** The answer to a question about a position; empty if there is no such task. */
  Optional<Task.Position> position() {
    long ahead = result.position();
    if (!result.isReady() && ahead >= 0) {
      return Optional.empty();
    }
    return Optional.of(
        new Task.Position(
            ahead < 0 ? OptionalLong.empty() : OptionalLong.of(ahead),
            result.isReady(),
            PolicyNumbers.time(result.expectedStartMs())));
  }

  void addListed(List<Task> tasks) {
    for (int i = 0; i < result.taskCount(); i++) {
      tasks.add(whole(result.task(i)));
    }
  }

  void addQueues(Map<String, QueueStats> queues) {
    for (int i = 0; i < result.queueCount(); i++) {
      QueueStatsDecoder queue = result.queue(i);
      String name = text(queue.nameOffset(), queue.nameLength());
      queues.put(
          name,
          new QueueStats(
              name,
              queue.tasks(),
              queue.available(),
              queue.claimed(),
              queue.future(),
              queue.maxClaims(),
              age(queue),
              queue.inFlight(),
              queue.claimable(),
              PolicyNumbers.pausedUntil(queue.pausedUntilMs()),
              PolicyNumbers.time(queue.nextStartMs()),
              queue.lapsed(),
              queue.dead(),
              queue.bytes()));
    }
  }

  void addDocs(List<Doc> docs) {
    for (int i = 0; i < result.docCount(); i++) {
      DocDecoder doc = result.doc(i);
      byte[] value = new byte[doc.valueLength()];
      result.buffer().getBytes(doc.valueOffset(), value);
      docs.add(doc(i, value(doc.valueKind(), value)));
    }
  }

  /** A doc whose value the caller already has. */
  Doc doc(int index, Value value) {
    DocDecoder doc = result.doc(index);
    String id = Ids.v1Text(doc.idHigh(), doc.idLow(), text(doc.idTextOffset(), doc.idTextLength()));
    return new Doc(
        new Doc.Id(text(doc.namespaceOffset(), doc.namespaceLength()), id),
        doc.version(),
        Ids.v1Text(
            doc.claimantHigh(),
            doc.claimantLow(),
            text(doc.claimantTextOffset(), doc.claimantTextLength())),
        Instant.ofEpochMilli(doc.arrivalMs()),
        text(doc.keyOffset(), doc.keyLength()),
        text(doc.secondaryKeyOffset(), doc.secondaryKeyLength()),
        value,
        Instant.ofEpochMilli(doc.createdMs()),
        Instant.ofEpochMilli(doc.modifiedMs()));
  }

  /** A doc set in the result. */
  DocSet docSet(DocDecoder set) {
    return new DocSet(
        text(set.namespaceOffset(), set.namespaceLength()),
        text(set.keyOffset(), set.keyLength()),
        set.version(),
        Ids.v1Text(
            set.claimantHigh(),
            set.claimantLow(),
            text(set.claimantTextOffset(), set.claimantTextLength())),
        Instant.ofEpochMilli(set.arrivalMs()),
        set.docs());
  }

  /** The claimed sets, or those that others hold. */
  List<DocSet> docSets() {
    List<DocSet> sets = new ArrayList<>(result.setCount());
    for (int i = 0; i < result.setCount(); i++) {
      sets.add(docSet(result.set(i)));
    }
    return sets;
  }

  void addNamespaces(Map<String, NamespaceStats> namespaces) {
    for (int i = 0; i < result.namespaceCount(); i++) {
      NamespaceStatsDecoder namespace = result.namespace(i);
      String name = text(namespace.nameOffset(), namespace.nameLength());
      namespaces.put(name, new NamespaceStats(name, namespace.docs(), namespace.claimed()));
    }
  }

  private static Optional<Duration> age(QueueStatsDecoder queue) {
    return queue.available() == 0
        ? Optional.empty()
        : Optional.of(Duration.ofMillis(queue.oldestAgeMs()));
  }

  TaskDecoder inserted(int index) {
    return result.inserted(index);
  }

  TaskDecoder changed(int index) {
    return result.changed(index);
  }

  /** A task whose other fields the caller already has. */
  Task task(TaskDecoder task, TaskId id, String queue, Value value, int attempt, String err) {
    return new Task(
        id,
        task.version(),
        queue,
        Instant.ofEpochMilli(task.arrivalMs()),
        claimant(task),
        value,
        Instant.ofEpochMilli(task.createdMs()),
        Instant.ofEpochMilli(task.modifiedMs()),
        task.claims(),
        attempt,
        err,
        attributes(task));
  }

  private Task.Attributes attributes(TaskDecoder task) {
    boolean hasMore =
        task.inFlight()
            || task.lapses() != 0
            || task.expiresMs() != 0
            || task.reason() != DeadReasons.NONE
            || task.traceLength() > 0;
    return hasMore
        ? new Task.Attributes(
            task.inFlight(),
            task.lapses(),
            task.expiresMs() > 0
                ? Optional.of(Instant.ofEpochMilli(task.expiresMs()))
                : Optional.empty(),
            death(task),
            text(task.traceOffset(), task.traceLength()))
        : Task.Attributes.none();
  }

  private Optional<Task.Death> death(TaskDecoder task) {
    return death(task.reason(), text(task.originOffset(), task.originLength()), task.deadAtMs());
  }

  /**
   * @param reason one of {@link DeadReasons}
   */
  static Optional<Task.Death> death(int reason, String origin, long atMs) {
    return reason == DeadReasons.NONE
        ? Optional.empty()
        : Optional.of(new Task.Death(origin, DEAD_REASONS[reason], Instant.ofEpochMilli(atMs)));
  }

  /** A value by its kind in commands. */
  static Value value(int kind, byte[] bytes) {
    return Value.wrap(KINDS[kind], bytes);
  }

  int failureCount() {
    return result.failureCount();
  }

  int failureKind(int failure) {
    return result.failure(failure).itemKind();
  }

  /** Index of the failed item in its list. */
  int failureIndex(int failure) {
    return result.failure(failure).index();
  }

  boolean isFailureClaimed(int failure) {
    return result.failure(failure).claimed();
  }

  /** The existing task with the id of a failed insert, or with that of a copy that it makes. */
  TaskRef existing(int failure, TaskId id) {
    FailureDecoder item = result.failure(failure);
    boolean isCopy = (item.existingIdHigh() | item.existingIdLow()) != 0;
    TaskId existing =
        isCopy ? TaskId.of(new IdKey(item.existingIdHigh(), item.existingIdLow(), "")) : id;
    return new TaskRef(existing, existingVersion(failure), existingName(failure));
  }

  /** A copy of an insert in the queue of a group; the caller already has its other fields. */
  Task copy(TaskDecoder task, Value value, int attempt, String err) {
    return task(
        task,
        TaskId.of(new IdKey(task.idHigh(), task.idLow(), "")),
        text(task.queueOffset(), task.queueLength()),
        value,
        attempt,
        err);
  }

  /** The version of the task, doc or set in the way. */
  int existingVersion(int failure) {
    return result.failure(failure).existingVersion();
  }

  /** The queue of the task in the way, or the key of the set that others hold. */
  String existingName(int failure) {
    FailureDecoder existing = result.failure(failure);
    return text(existing.existingNameOffset(), existing.existingNameLength());
  }

  /**
   * The id of the doc in the way of an insert.
   *
   * @param inserted the id of the insert, if that is what is taken
   */
  String existingDoc(int failure, String inserted) {
    FailureDecoder existing = result.failure(failure);
    String id =
        Ids.v1Text(
            existing.existingIdHigh(),
            existing.existingIdLow(),
            text(existing.existingIdTextOffset(), existing.existingIdTextLength()));
    return id.isEmpty() ? inserted : id;
  }

  /** The refused item's list, one of {@link ItemKinds}. */
  int itemKind() {
    return result.itemKind();
  }

  /** Index of the refused item in its list. */
  int itemIndex() {
    return result.itemIndex();
  }

  /** How many tasks the full queue has, or would have from this modification alone. */
  long queueTasks() {
    return result.queueTasks();
  }

  /** How many tasks the full queue may have. */
  long queueTasksMax() {
    return result.queueTasksMax();
  }

  /** What the refused item is. */
  String itemNoun() {
    return switch (result.itemKind()) {
      case ItemKinds.DOC_INSERT, ItemKinds.DOC_CHANGE, ItemKinds.DOC_DELETE, ItemKinds.DOC_DEPEND ->
          "doc";
      case ItemKinds.POLICY_PUT, ItemKinds.POLICY_DELETE, ItemKinds.PAUSE -> "policy";
      default -> "task";
    };
  }

  /** The refused item as its caller names it, such as {@code inserts[0]}. */
  String item() {
    String list =
        switch (result.itemKind()) {
          case ItemKinds.INSERT -> "inserts";
          case ItemKinds.CHANGE -> "changes";
          case ItemKinds.DELETE -> "deletes";
          case ItemKinds.DEPEND -> "depends";
          case ItemKinds.DOC_INSERT -> "docs.inserts";
          case ItemKinds.DOC_CHANGE -> "docs.changes";
          case ItemKinds.DOC_DELETE -> "docs.deletes";
          case ItemKinds.DOC_DEPEND -> "docs.depends";
          case ItemKinds.TASK -> "task";
          case ItemKinds.FAIL -> "fails";
          case ItemKinds.POLICY_PUT -> "policies.puts";
          case ItemKinds.POLICY_DELETE -> "policies.deletes";
          case ItemKinds.PAUSE -> "policies.pauses";
          default -> "items";
        };
    return list + "[" + result.itemIndex() + "]";
  }

  /** A task with all its fields. */
  Task whole(TaskDecoder task) {
    byte[] value = new byte[task.valueLength()];
    result.buffer().getBytes(task.valueOffset(), value);
    return task(
        task,
        TaskId.of(
            new IdKey(task.idHigh(), task.idLow(), text(task.idTextOffset(), task.idTextLength()))),
        text(task.queueOffset(), task.queueLength()),
        value(task.valueKind(), value),
        task.attempt(),
        text(task.errOffset(), task.errLength()));
  }

  private String claimant(TaskDecoder task) {
    return Ids.v1Text(
        task.claimantHigh(),
        task.claimantLow(),
        text(task.claimantTextOffset(), task.claimantTextLength()));
  }

  private String text(int offset, int length) {
    if (length == 0) {
      return "";
    }
    byte[] utf8 = new byte[length];
    result.buffer().getBytes(offset, utf8);
    return new String(utf8, StandardCharsets.UTF_8);
  }
}
