package io.entroq.simulator.check;

import io.entroq.codec.command.DocDataDecoder;
import io.entroq.codec.command.DocItem;
import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.simulator.undo.Cells;
import io.entroq.simulator.undo.Hashes;
import java.util.HashSet;
import java.util.Set;
import org.agrona.collections.IntArrayList;

/** What a modify requires of docs. Reports failures to a {@link ModifyCheck}. */
final class DocCheck {
  private final Account account;
  private final Cells cells;
  private final ModifyCheck failures;
  private final Set<ModifyCheck.Key> inserted = new HashSet<>();
  private final Set<ModifyCheck.Key> named = new HashSet<>();
  private final IntArrayList found = new IntArrayList();
  private ModifyDecoder modify;
  private long nowMs;

  DocCheck(Account account, ModifyCheck failures) {
    this.account = account;
    this.cells = account.cells;
    this.failures = failures;
  }

  void check(ModifyDecoder command, long timeMs) {
    modify = command;
    nowMs = timeMs;
    found.clear();
    inserted.clear();
    named.clear();
    for (int i = 0; i < modify.docInsertCount(); i++) {
      checkInsert(i, modify.docInsert(i));
    }
    for (int i = 0; i < modify.docChangeCount(); i++) {
      checkWrite(ItemKinds.DOC_CHANGE, i, modify.docChange(i));
    }
    for (int i = 0; i < modify.docDeleteCount(); i++) {
      checkWrite(ItemKinds.DOC_DELETE, i, modify.docDelete(i));
    }
    for (int i = 0; i < modify.docDependCount(); i++) {
      reference(ItemKinds.DOC_DEPEND, i, modify.docDepend(i));
    }
  }

  private void checkInsert(int index, DocDataDecoder insert) {
    if (isRepeated(inserted, insert)) {
      failures.refuse(ResultCodes.DUPLICATE_ITEM, ItemKinds.DOC_INSERT, index);
    }
    int doc = find(insert);
    if (doc == Cells.NONE) {
      return;
    }
    if (hasSameText(doc, insert)) {
      failures.fail(ItemKinds.DOC_INSERT, index, false, 0, 0);
    } else {
      failures.refuse(ResultCodes.KEY_COLLISION, ItemKinds.DOC_INSERT, index);
    }
  }

  private void checkWrite(int kind, int index, DocItem item) {
    int doc = reference(kind, index, item);
    boolean isHeld =
        doc != Cells.NONE
            && account.docs.isHeldByAnother(
                doc, modify.claimantHigh(), modify.claimantLow(), nowMs);
    if (isHeld) {
      failures.fail(kind, index, true, 0, 0);
    }
  }

  private int reference(int kind, int index, DocItem item) {
    if (isRepeated(named, item)) {
      failures.refuse(ResultCodes.DUPLICATE_ITEM, kind, index);
    }
    int doc = find(item);
    boolean isThere =
        doc != Cells.NONE
            && cells.get(doc + Docs.VERSION) == item.version()
            && hasSameText(doc, item);
    if (!isThere) {
      failures.fail(kind, index, false, 0, 0);
    }
    found.addInt(isThere ? doc : Cells.NONE);
    return isThere ? doc : Cells.NONE;
  }

  private boolean isRepeated(Set<ModifyCheck.Key> names, DocItem item) {
    int namespace = namespace(item);
    return !names.add(
        new ModifyCheck.Key(
            account.docs.nameHigh(namespace, item.idHigh()),
            account.docs.nameLow(namespace, item.idLow())));
  }

  private int find(DocItem item) {
    return account.docs.find(namespace(item), item.idHigh(), item.idLow());
  }

  private int namespace(DocItem item) {
    return account.texts.number(modify.buffer(), item.namespaceOffset(), item.namespaceLength());
  }

  private boolean hasSameText(int doc, DocItem item) {
    return cells.get(doc + Docs.ID_TEXT)
        == Hashes.bytes(modify.buffer(), item.idTextOffset(), item.idTextLength());
  }

  // The docs of the modify, once the check has passed.

  int changed(int index) {
    return found.getInt(index);
  }

  int deleted(int index) {
    return found.getInt(modify.docChangeCount() + index);
  }
}
