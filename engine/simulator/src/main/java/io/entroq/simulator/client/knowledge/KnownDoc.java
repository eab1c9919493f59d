package io.entroq.simulator.client.knowledge;

import io.entroq.codec.message.ValueKinds;
import java.util.Locale;

/** What a client knows of a doc or of a doc set, or intends to write. */
public final class KnownDoc {
  public int namespace;

  /** 0 of a set, like the lower half. */
  public long idHigh;

  public long idLow;

  /** The version of its set. */
  public int version;

  public int key;
  public int secondaryKey;

  /** Until when its set is held, according to the last reply. */
  public long arrivalMs;

  /** To write: until when the set is held, if {@link #byMs} is 0. */
  public long holdMs;

  /** To write: for how many milliseconds from the log time on the set is held, if not 0. */
  public long byMs;

  /** To write: whether another item of the request names the version of the set. */
  public boolean leavesVersion;

  public int valueKind = ValueKinds.BYTES;
  public int valueLength;

  /** The unique number of the write of the content. */
  public long write;

  /** The least version that this write gave the set. */
  public int writtenVersion;

  /** Whether this write was an insert, which sets the keys for good. */
  public boolean isInsert;

  /** Its index in the catalog. */
  public int index;

  /** A set at a version. */
  public static KnownDoc set(int namespace, int key, int version) {
    KnownDoc set = new KnownDoc();
    set.namespace = namespace;
    set.key = key;
    set.version = version;
    return set;
  }

  /** Whether it stands for a set. */
  public boolean isSet() {
    return (idHigh | idLow) == 0;
  }

  /** Whether it is a doc of a set, or the set. */
  public boolean isIn(KnownDoc set) {
    return namespace == set.namespace && key == set.key;
  }

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
    copy.isInsert = isInsert;
    return copy;
  }

  /** The id as in printed commands, or the number of the key of a set. */
  @Override
  public String toString() {
    return isSet()
        ? String.format(Locale.ROOT, "set %d in namespace %d", key, namespace)
        : String.format(Locale.ROOT, "%016x%016x", idHigh, idLow);
  }
}
