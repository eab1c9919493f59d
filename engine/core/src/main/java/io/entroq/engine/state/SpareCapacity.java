package io.entroq.engine.state;

import io.entroq.codec.command.ChangeDecoder;
import io.entroq.codec.command.ClaimDocsDecoder;
import io.entroq.codec.command.DocDataDecoder;
import io.entroq.codec.command.DocSetDecoder;
import io.entroq.codec.command.FailDecoder;
import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.command.TaskItem;
import io.entroq.codec.message.MessageRules;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.policy.Topics;
import io.entroq.engine.task.Bytes;

/**
 * Checks whether a Modify fits into memory that the stores already hold. Conservative: there must
 * be room for as many items of each item's size as the command has items. A change that keeps the
 * size class of its task, such as a renewal, needs no room.
 */
final class SpareCapacity {
  /** A time to expire, and tags. */
  private static final int ATTRIBUTES_GROWTH_BYTES = 12;

  private final Stores stores;
  private final Topics topics;
  private final Bytes value = new Bytes();
  private final Bytes idText = new Bytes();

  SpareCapacity(Stores stores) {
    this.stores = stores;
    this.topics = new Topics(stores.policies, stores.queues);
  }

  /**
   * @param others further items that must find room, each of the same size
   */
  boolean fits(ModifyDecoder modify, int others) {
    int items = modify.insertCount() + modify.changeCount() + others;
    topics.find(modify);
    // Copies share their content, so only their records are many.
    long inserts = modify.insertCount() - topics.inserts() + topics.copies();
    boolean fits = inserts == 0 || stores.tasks.hasSpareRecords(inserts + others);
    for (int i = 0; fits && i < modify.insertCount(); i++) {
      fits = fits(modify.insert(i), 0, items);
    }
    for (int i = 0; fits && i < modify.changeCount(); i++) {
      fits = changeFits(modify.change(i), items);
    }
    for (int i = 0; fits && i < modify.failCount(); i++) {
      fits = failFits(modify.fail(i), items + modify.failCount());
    }
    return fits && docsFit(modify, others);
  }

  private boolean docsFit(ModifyDecoder modify, int others) {
    int items = modify.docInsertCount() + modify.docChangeCount() + others;
    int inserts = modify.docInsertCount();
    boolean fits = inserts == 0 || stores.docs.hasSpareRecords(inserts + others);
    for (int i = 0; fits && i < modify.docInsertCount(); i++) {
      fits = fits(modify.docInsert(i), items);
    }
    for (int i = 0; fits && i < modify.docChangeCount(); i++) {
      fits = docKeepsSize(modify, i) || fits(modify.docChange(i), items);
    }
    return fits;
  }

  /** Its error text may be longer than the one before. */
  private boolean failFits(FailDecoder item, int items) {
    int task = stores.tasks.find(item.idHigh(), item.idLow());
    if (task == Slab.NONE) {
      return true;
    }
    stores.tasks.value(task, value);
    stores.tasks.idText(task, idText);
    return stores.tasks.keepsBlockSize(task, value.length(), item.errLength(), idText.length())
        || stores.tasks.hasSpareContents(
            value.length(),
            stores.tasks.attributesLength(task),
            item.errLength(),
            idText.length(),
            items);
  }

  /** Also true if there is no such task: then the Modify does nothing. */
  private boolean changeFits(ChangeDecoder item, int items) {
    if (MessageRules.isLeaseOnly(item.mode())) {
      return true;
    }
    int task = stores.tasks.find(item.idHigh(), item.idLow());
    return task == Slab.NONE
        || stores.tasks.keepsBlockSize(
            task, item.valueLength(), item.errLength(), item.idTextLength())
        || fits(item, stores.tasks.attributesLength(task), items);
  }

  private boolean docKeepsSize(ModifyDecoder modify, int index) {
    DocDataDecoder item = modify.docChange(index);
    int namespace =
        stores.namespaces.find(modify.buffer(), item.namespaceOffset(), item.namespaceLength());
    int doc = stores.docs.find(namespace, item.idHigh(), item.idLow());
    return doc == Slab.NONE || stores.docs.keepsBlockSize(doc, item.valueLength());
  }

  /** Ignores doc sets, index nodes and names, which take little room. */
  private boolean fits(DocDataDecoder item, int items) {
    int keys = item.keyLength() + item.secondaryKeyLength();
    return stores.docs.hasSpareContents(keys + item.idTextLength() + item.valueLength(), items);
  }

  private boolean fits(TaskItem item, int attributesBytes, int items) {
    return stores.tasks.hasSpareContents(
        item.valueLength(),
        attributesBytes + newAttributesBytes(item),
        item.errLength(),
        item.idTextLength(),
        items);
  }

  /** The most that attributes grow by what an item names. */
  private static int newAttributesBytes(TaskItem item) {
    boolean hasAny = item.ttlMs() != 0 || item.traceLength() > 0;
    return hasAny ? ATTRIBUTES_GROWTH_BYTES + item.traceLength() : 0;
  }

  /** Whether a claim names a doc set that is not stored. */
  boolean addsDocSets(ClaimDocsDecoder claim) {
    boolean adds = false;
    for (int i = 0; i < claim.setCount() && !adds; i++) {
      DocSetDecoder set = claim.set(i);
      int namespace =
          stores.namespaces.find(claim.buffer(), set.namespaceOffset(), set.namespaceLength());
      adds =
          stores.docSets.find(namespace, claim.buffer(), set.keyOffset(), set.keyLength())
              == Slab.NONE;
    }
    return adds;
  }
}
