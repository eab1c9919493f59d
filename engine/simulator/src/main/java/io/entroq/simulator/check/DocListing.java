package io.entroq.simulator.check;

import io.entroq.codec.message.IdDecoder;
import io.entroq.codec.result.DocDecoder;
import io.entroq.codec.result.ListDocsDecoder;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.simulator.call.ReadWatcher;
import io.entroq.simulator.undo.Cells;
import io.entroq.simulator.undo.Hashes;
import org.agrona.DirectBuffer;
import org.agrona.collections.IntHashSet;

/**
 * Follows one listing of docs, slice by slice, with commands in between. Every doc must be listed
 * in its current state, and every doc that exists throughout the listing must be listed once. One
 * thread, one use.
 */
final class DocListing implements ReadWatcher {
  private final Account account;
  private final Cells cells;
  private final Docs docs;
  private final DocRules rules;
  private final ListDocsDecoder query = new ListDocsDecoder();
  private final int namespace;
  private final int keyStart;
  private final int keyEnd;
  private final int keyExact;
  private final long begunAt;
  private final IntHashSet listed = new IntHashSet();
  private int listedOfPage;
  private int count;
  private int nextId;

  // Keys and id of the doc that was listed last.
  private int lastKey;
  private int lastSecondaryKey;
  private long lastHigh;
  private long lastLow;

  DocListing(Account account, DirectBuffer command, int offset, int length) {
    this.account = account;
    this.cells = account.cells;
    this.docs = account.docs;
    this.rules = new DocRules(account);
    query.wrap(command, offset, length);
    namespace = text(query.namespaceOffset(), query.namespaceLength());
    keyStart = text(query.keyStartOffset(), query.keyStartLength());
    keyEnd = text(query.keyEndOffset(), query.keyEndLength());
    keyExact = text(query.keyExactOffset(), query.keyExactLength());
    begunAt = account.sequence;
  }

  private int text(int offset, int length) {
    return account.texts.number(query.buffer(), offset, length);
  }

  @Override
  public void onSlice(ResultDecoder page) {
    for (; listedOfPage < page.docCount(); listedOfPage++) {
      DocDecoder doc = page.doc(listedOfPage);
      int reported = account.answers.addListed(page.buffer(), doc);
      show(reported);
    }
  }

  @Override
  public void onPageEnd() {
    listedOfPage = 0;
  }

  private void show(int reported) {
    long high = account.answers.get(reported + Docs.HIGH);
    long low = account.answers.get(reported + Docs.LOW);
    int doc =
        docs.findByName(
            account.answers.get(reported + Docs.NAME_HIGH),
            account.answers.get(reported + Docs.NAME_LOW));
    if (doc == Cells.NONE) {
      throw Invariant.DOCS_STAY.broken(
          docs.name((int) account.answers.get(reported + Docs.NAMESPACE), high, low),
          "no such doc",
          "listed");
    }
    rules.expectDoc(Invariant.DOCS_AS_THEY_STAND, reported, doc, !query.omitsValues());
    if (query.idCount() > 0) {
      skipIdsBefore(doc);
    } else {
      requireInRange(doc);
      requireAfterLast(doc);
      listed.add(doc);
    }
    count++;
  }

  // By ids.

  /** This doc was asked for, and those asked for before it do not exist. */
  private void skipIdsBefore(int listedDoc) {
    while (nextId < query.idCount()) {
      int doc = requested(nextId++);
      if (doc == listedDoc) {
        return;
      }
      requireAbsent(doc);
    }
    throw Invariant.DOCS_IN_ORDER.broken(
        docs.name(listedDoc), "docs that were asked for, in that order", "this one");
  }

  private int requested(int index) {
    IdDecoder id = query.id(index);
    int doc = docs.find(namespace, id.high(), id.low());
    boolean hasSameText =
        doc != Cells.NONE
            && cells.get(doc + Docs.ID_TEXT)
                == Hashes.bytes(query.buffer(), id.textOffset(), id.textLength());
    return hasSameText ? doc : Cells.NONE;
  }

  private void requireAbsent(int doc) {
    if (doc != Cells.NONE && cells.get(doc + Docs.INSERTED_AT) <= begunAt) {
      throw Invariant.DOCS_LISTED_ONCE.broken(docs.name(doc), "listed, by its id", "left out");
    }
  }

  // By keys.

  private boolean isInRange(int doc) {
    int key = cells.ref(doc + Docs.KEY);
    if (query.keyExactLength() > 0) {
      return key == keyExact;
    }
    return docs.compareTexts(key, keyStart) >= 0
        && (query.keyEndLength() == 0 || docs.compareTexts(key, keyEnd) < 0);
  }

  private void requireInRange(int doc) {
    boolean isRequested =
        cells.ref(doc + Docs.NAMESPACE) == namespace
            && isInRange(doc)
            && (query.limit() <= 0 || count < query.limit());
    if (!isRequested) {
      throw Invariant.DOCS_LISTED_ONCE.broken(
          docs.name(doc), "docs of the range, as many as were asked for", "one more");
    }
    if (cells.get(doc + Docs.INSERTED_AT) > begunAt) {
      throw Invariant.DOCS_LISTED_ONCE.broken(
          docs.name(doc), "left out, as it came after @" + begunAt, "listed");
    }
  }

  private void requireAfterLast(int doc) {
    if (count > 0 && compareToLast(doc) <= 0) {
      throw Invariant.DOCS_IN_ORDER.broken(
          docs.name(doc), "after the doc that was listed before it", "before it, or again");
    }
    lastKey = cells.ref(doc + Docs.KEY);
    lastSecondaryKey = cells.ref(doc + Docs.SECONDARY_KEY);
    lastHigh = cells.get(doc + Docs.HIGH);
    lastLow = cells.get(doc + Docs.LOW);
  }

  private int compareToLast(int doc) {
    int keys = docs.compareTexts(cells.ref(doc + Docs.KEY), lastKey);
    if (keys == 0) {
      keys = docs.compareTexts(cells.ref(doc + Docs.SECONDARY_KEY), lastSecondaryKey);
    }
    if (keys == 0) {
      keys = Long.compareUnsigned(cells.get(doc + Docs.HIGH), lastHigh);
    }
    return keys != 0 ? keys : Long.compareUnsigned(cells.get(doc + Docs.LOW), lastLow);
  }

  @Override
  public void onEnd() {
    while (nextId < query.idCount()) {
      requireAbsent(requested(nextId++));
    }
    if (query.idCount() > 0) {
      return;
    }
    boolean isCut = query.limit() > 0 && count == query.limit();
    for (int set = docs.firstSet(namespace); set != Cells.NONE; set = docs.nextSet(set)) {
      for (int doc = docs.first(set); doc != Cells.NONE; doc = docs.next(doc)) {
        boolean isMissed =
            cells.get(doc + Docs.INSERTED_AT) <= begunAt
                && isInRange(doc)
                && !listed.contains(doc)
                && (!isCut || compareToLast(doc) < 0);
        if (isMissed) {
          throw missed(doc);
        }
      }
    }
  }

  private Violation missed(int doc) {
    boolean isWhole =
        query.limit() <= 0
            && query.keyStartLength() + query.keyEndLength() + query.keyExactLength() == 0;
    return (isWhole ? Invariant.DOCS_STAY : Invariant.DOCS_LISTED_ONCE)
        .broken(docs.name(doc), "listed", "left out");
  }
}
