package io.entroq.codec.result;

import org.agrona.DirectBuffer;

/** The name filter of queries for queues and namespaces. */
public sealed interface NameQuery permits ListQueuesDecoder, ListNamespacesDecoder {
  /** The buffer that all offsets refer to. */
  DirectBuffer buffer();

  /** A name matches if it starts with one of the prefixes or equals one of the exact names. */
  int matchPrefixCount();

  int matchPrefixOffset(int index);

  int matchPrefixLength(int index);

  int matchExactCount();

  int matchExactOffset(int index);

  int matchExactLength(int index);

  /** How many to list at most; 0 or less for all. */
  int limit();
}
