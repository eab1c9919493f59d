package io.entroq.simulator.client.knowledge;

import io.entroq.codec.message.ValueKinds;
import java.util.Locale;

/** What a client knows of a doc, or intends to write. */
public final class KnownDoc {
  public int namespace;
  public long idHigh;
  public long idLow;
  public int version;
  public int key;
  public int secondaryKey;

  /** Until when it is held, according to the last reply, or will be held. */
  public long arrivalMs;

  public int valueKind = ValueKinds.BYTES;
  public int valueLength;

  /** The unique number of the write of the content. */
  public long write;

  /** The version that this write gave the doc. */
  public int writtenVersion;

  /** Whether this write named the keys. */
  public boolean namesKeys;

  /** Its index in the catalog. */
  public int index;

  /** A copy, to be changed. */
  public KnownDoc copy() {
    KnownDoc copy = new KnownDoc();
    copy.namespace = namespace;
    copy.idHigh = idHigh;
    copy.idLow = idLow;
    copy.version = version;
    copy.key = key;
    copy.secondaryKey = secondaryKey;
    copy.arrivalMs = arrivalMs;
    copy.valueKind = valueKind;
    copy.valueLength = valueLength;
    copy.write = write;
    copy.writtenVersion = writtenVersion;
    copy.namesKeys = namesKeys;
    return copy;
  }

  /** The id as in printed commands. */
  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%016x%016x", idHigh, idLow);
  }
}
