package io.entroq.engine.doc;

import org.agrona.DirectBuffer;

/**
 * A read-only view of a doc or a doc set, valid only during the callback that receives it. If the
 * doc was deleted since and a receipt supplies the reply, id text, keys and value are empty.
 */
public interface DocView {

  DirectBuffer namespaceBuffer();

  int namespaceOffset();

  int namespaceLength();

  /** 0 for a set, like the lower half. */
  long idHigh();

  long idLow();

  /** The text of the id; empty if its key determines it. */
  DirectBuffer idTextBuffer();

  int idTextOffset();

  int idTextLength();

  /** The version of its set. */
  int version();

  /** The arrival time of its set: the end of the lease, in milliseconds since the epoch. */
  long arrivalMs();

  /** The claimant of its set; both halves are 0 if there is none. */
  long claimantHigh();

  long claimantLow();

  DirectBuffer claimantTextBuffer();

  int claimantTextOffset();

  int claimantTextLength();

  DirectBuffer keyBuffer();

  int keyOffset();

  int keyLength();

  DirectBuffer secondaryKeyBuffer();

  int secondaryKeyOffset();

  int secondaryKeyLength();

  /** 0 absent, 1 bytes, 2 a serialized protobuf Value. */
  int valueKind();

  DirectBuffer valueBuffer();

  int valueOffset();

  int valueLength();

  /** 0 for a set. */
  long createdMs();

  long modifiedMs();

  /** The number of docs of a set; 0 for a doc. */
  int docCount();
}
