package io.entroq.codec.result;

import org.agrona.DirectBuffer;

/** What questions for queues and for namespaces have in common: which names match. */
public sealed interface NameQuery permits ListQueuesDecoder, ListNamespacesDecoder {
  /** What all offsets refer to. */
  DirectBuffer buffer();

  /** A name matches if it begins with any of the prefixes or equals any of the exact names. */
  int matchPrefixCount();

  int matchPrefixOffset(int index);

  int matchPrefixLength(int index);

  int matchExactCount();

  int matchExactOffset(int index);

  int matchExactLength(int index);

  /** How many to list at most; 0 or less: all. */
  int limit();
}
