package io.entroq.tools.importing.source;

import io.entroq.api.Value;

/** A task or doc, with the fields that can be copied. */
public sealed interface Item permits TaskItem, DocItem {
  /** The id, as the source's API shows it. */
  String id();

  Value value();

  /** Approximate size in a request. */
  long bytes();
}
