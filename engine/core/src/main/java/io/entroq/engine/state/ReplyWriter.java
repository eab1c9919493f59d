package io.entroq.engine.state;

import io.entroq.codec.result.ItemKinds;
import io.entroq.engine.doc.DocSetStore;
import io.entroq.engine.doc.DocStore;
import io.entroq.engine.memory.Digest;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.policy.PolicyView;
import io.entroq.engine.queue.QueueStore;
import io.entroq.engine.receipt.DocFlyweight;
import io.entroq.engine.receipt.FailedItem;
import io.entroq.engine.receipt.ReceiptWriter;
import io.entroq.engine.receipt.TaskFlyweight;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.task.TaskAttributes;
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
  private final DocSetStore docSets;
  private final TaskFlyweight view;
  private final DocFlyweight docView;
  private final ReceiptWriter receipt = new ReceiptWriter();
  private final FailedItem failure = new FailedItem();
  private final TaskAttributes attributes = new TaskAttributes();
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
    this.docSets = stores.docSets;
    this.docView = stores.docView();
    this.view = stores.taskView();
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

  /** Adds the copy of an insert in the queue of a group; {@link #keepCopy} follows. */
  void copied(int task) {
    task(ResultSink.ROLE_COPIED, task);
  }

  /**
   * Keeps a copy, and the queue that it is in, which the request does not name. Its place is among
   * the decided tasks, after all docs.
   *
   * @param index position of its insert among the inserts, from 0
   */
  void keepCopy(int task, int index) {
    decided(task, ItemKinds.INSERT, index);
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

  /**
   * Adds a task of the fails of a Modify, after its docs.
   *
   * @param index position among the fails, from 0
   */
  void failed(int task, int index) {
    decided(task, ItemKinds.FAIL, index);
    task(ResultSink.ROLE_FAILED, task);
  }

  /**
   * Keeps what became of a task whose change a policy took for a failure. Its place is among the
   * decided tasks, after all docs.
   *
   * @param index position among the changes, from 0
   */
  void decided(int task, int index) {
    decided(task, ItemKinds.CHANGE, index);
  }

  private void decided(int task, int kind, int index) {
    if (writesReceipt) {
      queues.name(tasks.queue(task), queueName);
      receipt.decided(tasks, task, attributes.read(tasks, task), kind, index, queueName);
    }
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
    happened(doc);
    doc(doc, 0);
  }

  /** Adds a set whose lease a Modify has changed. */
  void writtenSet(int set) {
    setHappened(set);
    if (writesReceipt) {
      receipt.set(docSets, set, 0);
    }
    sink.onDoc(docView.wrapSet(set));
  }

  /** Adds a doc of a claimed set. A receipt has only the set. */
  void claimedDoc(int doc) {
    happened(doc);
    sink.onDoc(docView.wrap(doc, true));
  }

  private void happened(int doc) {
    digest.happened(docs.idLow(doc), docSets.version(docs.set(doc)));
  }

  /**
   * Adds a claimed set, after all docs.
   *
   * @param index position in the ClaimDocs, from 0
   */
  void claimedSet(int set, int index) {
    setHappened(set);
    set(set, index);
  }

  private void setHappened(int set) {
    digest.happened(docSets.createdSequence(set), docSets.version(set));
  }

  /**
   * Adds a doc of a set whose lease prevents a claim.
   *
   * @param setIndex position of the set in the ClaimDocs, from 0
   */
  void heldDoc(int doc, int setIndex) {
    doc(doc, setIndex);
  }

  /**
   * Adds a set whose lease prevents a claim, after all docs.
   *
   * @param index position in the ClaimDocs, from 0
   */
  void heldSet(int set, int index) {
    set(set, index);
  }

  private void doc(int doc, int setIndex) {
    if (writesReceipt) {
      receipt.doc(docs, docSets, doc, setIndex);
    }
    sink.onDoc(docView.wrap(doc, false));
  }

  private void set(int set, int index) {
    if (writesReceipt) {
      receipt.set(docSets, set, index);
    }
    sink.onSet(docView.wrapSet(set));
  }

  /**
   * Adds a failed task; {@code existing} is the task that an insert collides with or that another
   * claimant holds, or none.
   *
   * @param isCopy whether the insert collides with a copy that it would make, which has another id
   */
  void taskFailure(int kind, int index, boolean claimed, int existing, boolean isCopy) {
    failure.begin(kind, index, claimed);
    if (existing != Slab.NONE) {
      if (isCopy) {
        failure.existingId(tasks.idHigh(existing), tasks.idLow(existing));
      }
      failure.existingVersion(tasks.version(existing));
      queues.name(tasks.queue(existing), failure.existingName());
    }
    failure(failure);
  }

  /**
   * Adds a failed doc or set.
   *
   * @param set the stored set that it is in, or none
   * @param occupant the doc that has the place of an insert, or none
   */
  void docFailure(int kind, int index, boolean claimed, int set, int occupant) {
    failure.begin(kind, index, claimed);
    failure.existingVersion(set == Slab.NONE ? 0 : docSets.version(set));
    if (claimed) {
      docSets.key(set, failure.existingName());
    }
    if (occupant != Slab.NONE) {
      failure.existingId(docs.idHigh(occupant), docs.idLow(occupant));
      docs.idText(occupant, failure.existingIdText());
    }
    failure(failure);
  }

  /**
   * Adds a policy with another version than expected.
   *
   * @param existingVersion 0 if it does not exist
   */
  void policyFailure(int kind, int index, int existingVersion) {
    failure.begin(kind, index, false);
    failure.existingVersion(existingVersion);
    failure(failure);
  }

  /** Adds a policy that a Modify has written. */
  void policy(PolicyView policy) {
    digest.happened(policy.nameHash(), policy.version());
    sink.onPolicy(policy);
  }

  private void failure(FailedItem item) {
    showFailure(item);
    keepFailure(item);
  }

  /** Adds a failed item, before docs; {@link #keepFailure} follows after the docs. */
  void showFailure(FailedItem item) {
    sink.onFailure(item);
  }

  /** Adds a failed item to the receipt, where failures come last. */
  void keepFailure(FailedItem item) {
    if (writesReceipt) {
      receipt.failure(item);
    }
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
