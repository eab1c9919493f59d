package io.entroq.simulator.client.knowledge;

import io.entroq.codec.result.ItemKinds;
import java.util.ArrayList;
import java.util.List;

/** The docs and sets of one Modify, in their state after success. */
public final class DocWrites {
  public final List<KnownDoc> inserted = new ArrayList<>();

  /** The changed docs, and the sets whose leases change. */
  public final List<KnownDoc> changed = new ArrayList<>();

  public final List<KnownDoc> deleted = new ArrayList<>();
  public final List<KnownDoc> depends = new ArrayList<>();

  /** The items of a kind, one of {@link ItemKinds}; empty for tasks. */
  public List<KnownDoc> items(int kind) {
    return switch (kind) {
      case ItemKinds.DOC_INSERT -> inserted;
      case ItemKinds.DOC_CHANGE -> changed;
      case ItemKinds.DOC_DELETE -> deleted;
      case ItemKinds.DOC_DEPEND -> depends;
      default -> List.of();
    };
  }
}
