package io.entroq.simulator.client;

import java.util.ArrayList;
import java.util.List;

/** The docs that one Modify names, each as it will be if all goes well. */
final class DocWrites {
  final List<KnownDoc> inserted = new ArrayList<>();
  final List<KnownDoc> changed = new ArrayList<>();
  final List<KnownDoc> deleted = new ArrayList<>();
  int depends;

  /** It was done. */
  void done(Shelves shelves) {
    inserted.forEach(shelves::saw);
    changed.forEach(shelves::saw);
    deleted.forEach(shelves::gone);
  }
}
