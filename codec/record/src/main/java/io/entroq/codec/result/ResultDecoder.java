package io.entroq.codec.result;

import io.entroq.codec.command.FieldLimits;
import io.entroq.codec.command.ItemList;
import io.entroq.codec.command.MalformedMessageException;
import io.entroq.codec.command.WireReader;
import org.agrona.DirectBuffer;

/**
 * Reads a Result. Everything that it returns, the decoders of its items included, is valid until
 * the next wrap.
 */
public final class ResultDecoder {
  private static final int CODE_TAG = 1 << 3 | WireReader.VARINT;
  private static final int SEQUENCE_TAG = 2 << 3 | WireReader.VARINT;
  private static final int LOG_TIME_MS_TAG = 3 << 3 | WireReader.FIXED64;
  private static final int CLAIMED_TAG = 4 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int INSERTED_TAG = 5 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int CHANGED_TAG = 6 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int FAILURES_TAG = 7 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int ITEM_TAG = 8 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int DETAIL_TAG = 9 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int TASKS_TAG = 10 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int QUEUES_TAG = 11 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int QUEUE_TASKS_TAG = 12 << 3 | WireReader.VARINT;
  private static final int QUEUE_TASKS_MAX_TAG = 13 << 3 | WireReader.VARINT;
  private static final int DOCS_TAG = 14 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int NAMESPACES_TAG = 15 << 3 | WireReader.LENGTH_DELIMITED;

  private final WireReader reader = new WireReader();
  private final ItemList<TaskDecoder> claimed = new ItemList<>(TaskDecoder::new);
  private final ItemList<TaskDecoder> inserted = new ItemList<>(TaskDecoder::new);
  private final ItemList<TaskDecoder> changed = new ItemList<>(TaskDecoder::new);
  private final ItemList<FailureDecoder> failures = new ItemList<>(FailureDecoder::new);
  private final ItemList<TaskDecoder> tasks = new ItemList<>(TaskDecoder::new);
  private final ItemList<QueueStatsDecoder> queues = new ItemList<>(QueueStatsDecoder::new);
  private final ItemList<DocDecoder> docs = new ItemList<>(DocDecoder::new);
  private final ItemList<NamespaceStatsDecoder> namespaces =
      new ItemList<>(NamespaceStatsDecoder::new);
  private final ItemDecoder item = new ItemDecoder();
  private int encodedLength;
  private int code;
  private long sequence;
  private long logTimeMs;
  private int detailOffset;
  private int detailLength;
  private long queueTasks;
  private long queueTasksMax;

  /** A decoder of nothing until it is wrapped. */
  public ResultDecoder() {}

  /**
   * Reads and checks a whole Result.
   *
   * @throws MalformedMessageException if it is not one; then nothing of this decoder may be used
   */
  public void wrap(DirectBuffer buffer, int offset, int length) {
    reader.wrap(buffer, offset, length);
    encodedLength = length;
    clear();
    while (reader.hasNext()) {
      readField();
    }
  }

  private void clear() {
    claimed.clear();
    inserted.clear();
    changed.clear();
    failures.clear();
    tasks.clear();
    queues.clear();
    docs.clear();
    namespaces.clear();
    item.clear();
    code = 0;
    sequence = 0;
    logTimeMs = 0;
    detailOffset = 0;
    detailLength = 0;
    queueTasks = 0;
    queueTasksMax = 0;
  }

  private void readField() {
    int tag = reader.tag("Result");
    switch (tag) {
      case CODE_TAG -> code = reader.enumeration("Result.code", ResultCodes.MAX);
      case SEQUENCE_TAG -> sequence = reader.positive("Result.sequence");
      case LOG_TIME_MS_TAG -> logTimeMs = reader.fixed64("Result.log_time_ms");
      case CLAIMED_TAG -> claimed.add().read(reader, "Result.claimed");
      case INSERTED_TAG -> inserted.add().read(reader, "Result.inserted");
      case CHANGED_TAG -> changed.add().read(reader, "Result.changed");
      case FAILURES_TAG -> failures.add().read(reader);
      case ITEM_TAG -> item.read(reader);
      case DETAIL_TAG -> {
        detailLength = reader.text("Result.detail", FieldLimits.UNBOUNDED);
        detailOffset = reader.spanOffset();
      }
      case TASKS_TAG -> tasks.add().read(reader, "Result.tasks");
      case QUEUES_TAG -> queues.add().read(reader);
      case QUEUE_TASKS_TAG -> queueTasks = reader.positive("Result.queue_tasks");
      case QUEUE_TASKS_MAX_TAG -> queueTasksMax = reader.positive("Result.queue_tasks_max");
      case DOCS_TAG -> docs.add().read(reader);
      case NAMESPACES_TAG -> namespaces.add().read(reader);
      default -> reader.skip(tag, 15, "Result");
    }
  }

  /** What all offsets refer to: a view of the buffer that was wrapped, at the same offsets. */
  public DirectBuffer buffer() {
    return reader.buffer();
  }

  /** Where the Result begins in that buffer. */
  public int encodedOffset() {
    return reader.start();
  }

  /** Bytes of the Result. */
  public int encodedLength() {
    return encodedLength;
  }

  /** One of {@link ResultCodes}. */
  public int code() {
    return code;
  }

  /** Position of the step that decided it. */
  public long sequence() {
    return sequence;
  }

  /** Log time of that step. */
  public long logTimeMs() {
    return logTimeMs;
  }

  /** How many tasks were claimed. */
  public int claimedCount() {
    return claimed.count();
  }

  /** The claimed task at an index from 0. */
  public TaskDecoder claimed(int index) {
    return claimed.get(index);
  }

  /** How many tasks were inserted. */
  public int insertedCount() {
    return inserted.count();
  }

  /** The inserted task at an index from 0, in the order of the request. */
  public TaskDecoder inserted(int index) {
    return inserted.get(index);
  }

  /** How many tasks were changed. */
  public int changedCount() {
    return changed.count();
  }

  /** The changed task at an index from 0, in the order of the request. */
  public TaskDecoder changed(int index) {
    return changed.get(index);
  }

  /** How many items of a Modify failed. */
  public int failureCount() {
    return failures.count();
  }

  /** The failed item at an index from 0. */
  public FailureDecoder failure(int index) {
    return failures.get(index);
  }

  /** One of {@link ItemKinds}; NONE: the code speaks of no item. */
  public int itemKind() {
    return item.itemKind();
  }

  /** Position of that item in its list, from 0. */
  public int itemIndex() {
    return item.index();
  }

  /** Where the text for people begins. */
  public int detailOffset() {
    return detailOffset;
  }

  /** Bytes of the text for people. */
  public int detailLength() {
    return detailLength;
  }

  /** How many tasks a listing found. */
  public int taskCount() {
    return tasks.count();
  }

  /** The listed task at an index from 0. */
  public TaskDecoder task(int index) {
    return tasks.get(index);
  }

  /** How many queues a listing found. */
  public int queueCount() {
    return queues.count();
  }

  /** The listed queue at an index from 0. */
  public QueueStatsDecoder queue(int index) {
    return queues.get(index);
  }

  /**
   * How many tasks a queue has that is full; with {@link ResultCodes#NEVER_FITS}, how many of the
   * Modify's own it would have.
   */
  public long queueTasks() {
    return queueTasks;
  }

  /** How many tasks that queue may have. */
  public long queueTasksMax() {
    return queueTasksMax;
  }

  /** How many docs there are. */
  public int docCount() {
    return docs.count();
  }

  /** How many namespaces a listing found. */
  public int namespaceCount() {
    return namespaces.count();
  }

  /** The listed namespace at an index from 0. */
  public NamespaceStatsDecoder namespace(int index) {
    return namespaces.get(index);
  }

  /** The doc at an index from 0; what it is there for depends on the request. */
  public DocDecoder doc(int index) {
    return docs.get(index);
  }
}
