package io.entroq.simulator.check;

import io.entroq.codec.command.DocDataDecoder;
import io.entroq.codec.command.DocItem;
import io.entroq.codec.command.DocRefDecoder;
import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.message.ChangeModes;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.simulator.check.Docs.Sets;
import io.entroq.simulator.coverage.Rule;
import io.entroq.simulator.undo.Cells;
import io.entroq.simulator.undo.Hashes;
import java.util.HashSet;
import java.util.Set;
import org.agrona.collections.IntArrayList;

/** What a modify requires of docs and doc sets. Reports failures to a {@link ModifyCheck}. */
final class DocCheck {
  private final Account account;
  private final Cells cells;
  private final ModifyCheck failures;
  private final Set<ModifyCheck.Key> named = new HashSet<>();
  private final Set<Place> places = new HashSet<>();

  /** The sets that lease changes and depends name. */
  private final Set<Place> sets = new HashSet<>();

  private final IntArrayList found = new IntArrayList();
  private ModifyDecoder modify;
  private long nowMs;

  /**
   * A place of a doc in a set, or a set.
   *
   * @param secondaryKey {@link #WHOLE_SET} for a set
   */
  private record Place(int namespace, int key, int secondaryKey) {
    static final int WHOLE_SET = -1;
  }

  DocCheck(Account account, ModifyCheck failures) {
    this.account = account;
    this.cells = account.cells;
    this.failures = failures;
  }

  void check(ModifyDecoder command, long timeMs) {
    modify = command;
    nowMs = timeMs;
    found.clear();
    named.clear();
    places.clear();
    sets.clear();
    nameSets();
    for (int i = 0; i < modify.docInsertCount(); i++) {
      checkInsert(i, modify.docInsert(i));
    }
    for (int i = 0; i < modify.docChangeCount(); i++) {
      checkChange(i, modify.docChange(i));
    }
    for (int i = 0; i < modify.docDeleteCount(); i++) {
      DocRefDecoder ref = modify.docDelete(i);
      found.addInt(checkWrite(ItemKinds.DOC_DELETE, i, ref));
    }
    for (int i = 0; i < modify.docDependCount(); i++) {
      checkDepend(i, modify.docDepend(i));
    }
  }

  // Names.

  /** The sets that lease changes and depends name, for docs that leave out their version. */
  private void nameSets() {
    for (int i = 0; i < modify.docChangeCount(); i++) {
      if (isSet(modify.docChange(i))) {
        sets.add(setOf(modify.docChange(i)));
      }
    }
    for (int i = 0; i < modify.docDependCount(); i++) {
      if (isSet(modify.docDepend(i))) {
        sets.add(setOf(modify.docDepend(i)));
      }
    }
  }

  /** No two items name the same doc. */
  private void name(int kind, int index, DocItem item) {
    int namespace = namespace(item);
    boolean isNew =
        named.add(
            new ModifyCheck.Key(
                account.docs.nameHigh(namespace, item.idHigh()),
                account.docs.nameLow(namespace, item.idLow())));
    if (!isNew) {
      refuse(Rule.SAME_DOC_TWICE, kind, index);
    }
  }

  /** No two inserts have the same place, and no two lease changes name the same set. */
  private void place(Rule rule, int kind, int index, Place place) {
    if (!places.add(place)) {
      refuse(rule, kind, index);
    }
  }

  private void refuse(Rule rule, int kind, int index) {
    account.rules.count(rule);
    failures.refuse(ResultCodes.DUPLICATE_ITEM, kind, index);
  }

  private static boolean isSet(DocItem item) {
    return (item.idHigh() | item.idLow()) == 0;
  }

  private Place setOf(DocItem item) {
    return new Place(namespace(item), key(item), Place.WHOLE_SET);
  }

  // Items.

  private void checkInsert(int index, DocDataDecoder insert) {
    name(ItemKinds.DOC_INSERT, index, insert);
    place(
        Rule.SAME_PLACE_TWICE,
        ItemKinds.DOC_INSERT,
        index,
        new Place(namespace(insert), key(insert), secondaryKey(insert)));
    int doc = account.docs.find(namespace(insert), insert.idHigh(), insert.idLow());
    if (doc != Cells.NONE && !hasSameText(doc, insert)) {
      failures.refuse(ResultCodes.KEY_COLLISION, ItemKinds.DOC_INSERT, index);
      return;
    }
    int set = findSet(insert);
    if (doc != Cells.NONE) {
      account.rules.count(Rule.DOC_ID_TAKEN);
      failures.fail(ItemKinds.DOC_INSERT, index, false);
      return;
    }
    int occupant = set == Cells.NONE ? Cells.NONE : account.docs.member(set, secondaryKey(insert));
    if (occupant != Cells.NONE) {
      account.rules.count(Rule.PLACE_TAKEN);
      failures.fail(ItemKinds.DOC_INSERT, index, false);
      failures.existing(cells.get(set + Sets.VERSION), 0);
      failures.existingItem(
          cells.get(occupant + Docs.HIGH),
          cells.get(occupant + Docs.LOW),
          cells.get(occupant + Docs.ID_TEXT));
      return;
    }
    requireFree(ItemKinds.DOC_INSERT, index, set);
  }

  private void checkChange(int index, DocDataDecoder change) {
    found.addInt(
        change.mode() == ChangeModes.LEASE
            ? checkLease(index, change)
            : checkWrite(ItemKinds.DOC_CHANGE, index, change));
  }

  /** The set of a lease change, or {@link Cells#NONE}. */
  private int checkLease(int index, DocDataDecoder lease) {
    place(Rule.SAME_SET_TWICE, ItemKinds.DOC_CHANGE, index, setOf(lease));
    int set = findSet(lease);
    if (set == Cells.NONE) {
      account.rules.count(Rule.SET_LEASE_UNSTORED);
      failures.fail(ItemKinds.DOC_CHANGE, index, false);
    } else if (cells.get(set + Sets.VERSION) != lease.version()) {
      account.rules.count(Rule.SET_LEASE_AT_OTHER_VERSION);
      failures.fail(ItemKinds.DOC_CHANGE, index, false);
      failures.existing(cells.get(set + Sets.VERSION), 0);
    } else {
      requireFree(ItemKinds.DOC_CHANGE, index, set);
    }
    return set;
  }

  /** The doc of a change or delete, or {@link Cells#NONE}. */
  private int checkWrite(int kind, int index, DocItem item) {
    int doc = find(kind, index, item);
    if (doc != Cells.NONE && isAtVersion(kind, index, item, doc)) {
      requireFree(kind, index, account.docs.setOf(doc));
    }
    return doc;
  }

  private void checkDepend(int index, DocRefDecoder depend) {
    if (!isSet(depend)) {
      int doc = find(ItemKinds.DOC_DEPEND, index, depend);
      if (doc != Cells.NONE) {
        isAtVersion(ItemKinds.DOC_DEPEND, index, depend, doc);
      }
      return;
    }
    int set = findSet(depend);
    if (set == Cells.NONE) {
      account.rules.count(Rule.SET_DEPEND_UNSTORED);
      failures.fail(ItemKinds.DOC_DEPEND, index, false);
    } else if (cells.get(set + Sets.VERSION) != depend.version()) {
      account.rules.count(Rule.SET_DEPEND_AT_OTHER_VERSION);
      failures.fail(ItemKinds.DOC_DEPEND, index, false);
      failures.existing(cells.get(set + Sets.VERSION), 0);
    } else {
      account.rules.count(Rule.SET_DEPEND);
      account.rules.countIf(isHeldByAnother(set), Rule.SET_DEPEND_WHILE_HELD);
    }
  }

  private int find(int kind, int index, DocItem item) {
    name(kind, index, item);
    int doc = account.docs.find(namespace(item), item.idHigh(), item.idLow());
    if (doc != Cells.NONE && hasSameText(doc, item)) {
      return doc;
    }
    account.rules.count(Rule.DOC_MISSING);
    failures.fail(kind, index, false);
    return Cells.NONE;
  }

  /** A doc has the version of its set. Version 0 leaves it to the item that names the set. */
  private boolean isAtVersion(int kind, int index, DocItem item, int doc) {
    long version = cells.get(account.docs.setOf(doc) + Sets.VERSION);
    if (version == item.version()) {
      return true;
    }
    if (item.version() == 0 && sets.contains(setOf(doc))) {
      account.rules.count(Rule.VERSION_FROM_SET);
      return true;
    }
    account.rules.count(Rule.DOC_AT_OTHER_VERSION);
    failures.fail(kind, index, false);
    failures.existing(version, 0);
    return false;
  }

  private Place setOf(int doc) {
    return new Place(cells.ref(doc + Docs.NAMESPACE), cells.ref(doc + Docs.KEY), Place.WHOLE_SET);
  }

  /** Nobody writes to a set that another claimant holds. */
  private void requireFree(int kind, int index, int set) {
    if (set != Cells.NONE && isHeldByAnother(set)) {
      account.rules.count(Rule.SET_OF_ANOTHER);
      failures.fail(kind, index, true);
      failures.existing(
          cells.get(set + Sets.VERSION), account.texts.hash(cells.ref(set + Sets.KEY)));
    }
  }

  private boolean isHeldByAnother(int set) {
    return account.docs.isHeldByAnother(set, modify.claimantHigh(), modify.claimantLow(), nowMs);
  }

  // Texts.

  private int namespace(DocItem item) {
    return text(item.namespaceOffset(), item.namespaceLength());
  }

  private int key(DocItem item) {
    return text(item.keyOffset(), item.keyLength());
  }

  private int secondaryKey(DocDataDecoder item) {
    return text(item.secondaryKeyOffset(), item.secondaryKeyLength());
  }

  private int text(int offset, int length) {
    return account.texts.number(modify.buffer(), offset, length);
  }

  private int findSet(DocItem item) {
    return account.docs.findSet(namespace(item), key(item));
  }

  private boolean hasSameText(int doc, DocItem item) {
    return cells.get(doc + Docs.ID_TEXT)
        == Hashes.bytes(modify.buffer(), item.idTextOffset(), item.idTextLength());
  }

  // The docs of the modify, once the check has passed.

  /** The doc of a change, or the set of a lease change. */
  int changed(int index) {
    return found.getInt(index);
  }

  int deleted(int index) {
    return found.getInt(modify.docChangeCount() + index);
  }
}
