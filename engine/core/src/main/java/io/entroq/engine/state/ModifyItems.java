package io.entroq.engine.state;

import io.entroq.codec.command.DocDataDecoder;
import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.command.TaskItem;
import io.entroq.engine.task.Bytes;

/** What a Modify that is asked again says of the tasks and docs that it has written. */
final class ModifyItems implements RequestItems {

  private final ModifyDecoder modify;

  /** Of whatever the decoder reads. */
  ModifyItems(ModifyDecoder modify) {
    this.modify = modify;
  }

  @Override
  public void namespace(int index, Bytes into) {
    DocDataDecoder doc = doc(index);
    into.set(modify.buffer(), doc.namespaceOffset(), doc.namespaceLength());
  }

  /** Docs that were inserted come before those that were changed. */
  private DocDataDecoder doc(int index) {
    int inserts = modify.docInsertCount();
    return index < inserts ? modify.docInsert(index) : modify.docChange(index - inserts);
  }

  @Override
  public boolean isClaim() {
    return false;
  }

  @Override
  public void tell(TaskFlyweight task, int role, int index, long thenMs) {
    boolean isInserted = role == ResultSink.ROLE_INSERTED;
    TaskItem item = isInserted ? modify.insert(index) : modify.change(index);
    long arrivalMs = ModifyStep.arrivalMs(item.arrivalMs(), thenMs);
    task.arrival(arrivalMs);
    if (isInserted || ModifyStep.isHeld(modify, arrivalMs, thenMs)) {
      task.claimant(
          modify.claimantHigh(),
          modify.claimantLow(),
          modify.buffer(),
          modify.claimantTextOffset(),
          modify.claimantTextLength());
    }
  }

  @Override
  public void tell(DocFlyweight doc, int index, long thenMs) {
    if (index < modify.docInsertCount()) {
      doc.arrival(thenMs);
      return;
    }
    long arrivalMs = ModifyStep.arrivalMs(doc(index).arrivalMs(), thenMs);
    doc.arrival(arrivalMs);
    if (arrivalMs > thenMs) {
      doc.claimant(
          modify.claimantHigh(),
          modify.claimantLow(),
          modify.buffer(),
          modify.claimantTextOffset(),
          modify.claimantTextLength());
    }
  }
}
