package io.entroq.engine.doc;

import org.agrona.DirectBuffer;

/**
 * A read-only view of a doc, valid only during the callback that receives it. If the doc has
 * changed since and a receipt supplies the reply, id text, keys and value are empty.
 */
public interface DocView {

  DirectBuffer namespaceBuffer();

  int namespaceOffset();

  int namespaceLength();

  long idHigh();

  long idLow();

  /** The text of the id; empty if its key determines it. */
  DirectBuffer idTextBuffer();

  int idTextOffset();

  int idTextLength();

  int version();

  /** The end of the lease, in milliseconds since the epoch. */
  long arrivalMs();

  /** Both halves are 0 if there is no claimant. */
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
