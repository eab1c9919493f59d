package io.entroq.engine.doc;

import org.agrona.DirectBuffer;

/**
 * What the outside sees of a doc, valid only inside the callback that hands it out. Where a receipt
 * answers for a doc that has moved on, keys, value and the text of its id are not set.
 */
public interface DocView {

  DirectBuffer namespaceBuffer();

  int namespaceOffset();

  int namespaceLength();

  long idHigh();

  long idLow();

  /** The text of an id whose key does not give it back; of length 0 else. */
  DirectBuffer idTextBuffer();

  int idTextOffset();

  int idTextLength();

  int version();

  /** Until when it is held, milliseconds since the epoch. */
  long arrivalMs();

  /** Both halves are 0 for nobody. */
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

  long createdMs();

  long modifiedMs();
}
