package io.entroq.engine.state;

import io.entroq.codec.result.ItemKinds;
import io.entroq.engine.doc.DocStore;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.queue.QueueStore;
import io.entroq.engine.receipt.ReceiptWriter;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.task.TaskStore;

/**
 * Writes the replies of one step: to the sink, into the history digest, and into a receipt if the
 * request has an identity.
 */
final class ReplyWriter {

  private final TaskStore tasks;
  private final QueueStore queues;
  private final Digest digest;
  private final DocStore docs;
  private final TaskFlyweight view;
  private final DocFlyweight docView;
  private final ReceiptWriter receipt = new ReceiptWriter();
  private final Bytes queueName = new Bytes();
  private ResultSink sink;
  private boolean writesReceipt;
  private long stepSequence;
  private long logTimeMs;

  ReplyWriter(Stores stores) {
    this.tasks = stores.tasks;
    this.queues = stores.queues;
    this.digest = stores.digest;
    this.docs = stores.docs;
    this.docView = new DocFlyweight(stores);
    this.view = new TaskFlyweight(stores.tasks, stores.queues, stores.claimants);
  }

  /** Begins a step. */
  void step(ResultSink resultSink, long sequence, long timeMs) {
    if (sink != resultSink) {
      sink = resultSink;
    }
    stepSequence = sequence;
    logTimeMs = timeMs;
  }

  ResultSink sink() {
    return sink;
  }

  TaskFlyweight view() {
    return view;
  }

  DocFlyweight docView() {
    return docView;
  }

  long stepSequence() {
    return stepSequence;
  }

  long logTimeMs() {
    return logTimeMs;
  }

  /** Begins a reply that is not logged and leaves no trace. */
  void beginUnlogged(ResultSink resultSink, int code, long sequence, long timeMs) {
    writesReceipt = false;
    sink = resultSink;
    sink.onResult(0, code, sequence, timeMs);
  }

  ReceiptWriter receipt() {
    return receipt;
  }

  /** Begins a reply that leaves no receipt. */
  void begin(long requestSequence, int code) {
    writesReceipt = false;
    open(requestSequence, code);
  }

  /** Begins a reply with a receipt, which the caller has begun with the number. */
  void beginWithReceipt(long requestSequence, int code) {
    writesReceipt = true;
    receipt.answered(code, stepSequence, logTimeMs);
    open(requestSequence, code);
  }

  private void open(long requestSequence, int code) {
    digest.happened(requestSequence, code);
    sink.onResult(requestSequence, code, stepSequence, logTimeMs);
  }

  void inserted(int task) {
    if (writesReceipt) {
      receipt.inserted(tasks, task);
    }
    task(ResultSink.ROLE_INSERTED, task);
  }

  void changed(int task) {
    if (writesReceipt) {
      receipt.changed(tasks, task);
    }
    task(ResultSink.ROLE_CHANGED, task);
  }

  /** Adds a task whose lease alone has changed; the reply has all of it. */
  void leased(int task) {
    if (writesReceipt) {
      receipt.changed(tasks, task);
    }
    task(ResultSink.ROLE_LEASED, task);
  }

  /** Adds a claimed task; returns whether the receipt records its former claimant. */
  boolean claimed(int task) {
    if (writesReceipt) {
      receipt.claimed(tasks, task);
    }
    task(ResultSink.ROLE_CLAIMED, task);
    return writesReceipt;
  }

  private void task(int role, int task) {
    digest.happened(tasks.idLow(task), tasks.version(task));
    sink.onTask(role, view.wrap(task));
  }

  /** Adds an inserted or changed doc. */
  void writtenDoc(int doc) {
    digest.happened(docs.idLow(doc), docs.version(doc));
    doc(doc, false);
  }

  void claimedDoc(int doc) {
    digest.happened(docs.idLow(doc), docs.version(doc));
    doc(doc, true);
  }

  /** Adds a doc whose lease prevents a claim. */
  void heldDoc(int doc) {
    doc(doc, false);
  }

  private void doc(int doc, boolean withValue) {
    if (writesReceipt) {
      receipt.doc(docs, doc);
    }
    sink.onDoc(docView.wrap(doc, withValue));
  }

  /**
   * Adds a failed item; {@code existing} is the task that an insert collides with or that another
   * claimant holds, or none.
   */
  void failure(int kind, int index, boolean claimed, int existing) {
    if (writesReceipt) {
      boolean exists = existing != Slab.NONE;
      queueName.clear();
      if (exists) {
        queues.name(tasks.queue(existing), queueName);
      }
      receipt.failure(kind, index, claimed, exists ? tasks.version(existing) : -1, queueName);
    }
    sink.onFailure(kind, index, claimed, existing == Slab.NONE ? null : view.wrap(existing));
  }

  /** Adds the item that caused a refusal, if there is one. */
  void item(int kind, int index) {
    if (kind == ItemKinds.NONE) {
      return;
    }
    if (writesReceipt) {
      receipt.item(kind, index);
    }
    sink.onItem(kind, index);
  }

  /** Adds the size and the limit of a full queue. */
  void queueFull(long queueTasks, long queueTasksMax) {
    if (writesReceipt) {
      receipt.queueFull(queueTasks, queueTasksMax);
    }
    sink.onQueueFull(queueTasks, queueTasksMax);
  }

  void end() {
    sink.onEnd();
  }

  void close() {
    receipt.close();
  }
}
