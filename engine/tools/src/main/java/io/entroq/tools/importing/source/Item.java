package io.entroq.tools.importing.source;

import io.entroq.api.Value;

/** What is in a queue or in a namespace, as far as it can be carried elsewhere. */
public sealed interface Item permits TaskItem, DocItem {
  /** Its id, as the API has it that it was read by. */
  String id();

  /** What it carries. */
  Value value();

  /** About how many bytes of a request it takes. */
  long bytes();
}
