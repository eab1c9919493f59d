package io.entroq.simulator.client.knowledge;

import java.util.ArrayList;
import java.util.List;

/** The docs of one Modify, in their state after success. */
public final class DocWrites {
  public final List<KnownDoc> inserted = new ArrayList<>();
  public final List<KnownDoc> changed = new ArrayList<>();
  public final List<KnownDoc> deleted = new ArrayList<>();
  public int depends;

  /** The Modify was executed. */
  public void done(DocCatalog catalog) {
    inserted.forEach(catalog::observe);
    changed.forEach(catalog::observe);
    deleted.forEach(catalog::remove);
  }
}
