package io.entroq.simulator.client;

import io.entroq.codec.command.DocDataFields;
import io.entroq.codec.message.ChangeModes;
import io.entroq.codec.message.ValueKinds;
import io.entroq.codec.result.DocDecoder;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.client.knowledge.DocCatalog;
import io.entroq.simulator.client.knowledge.KnownDoc;
import io.entroq.simulator.client.knowledge.TaskIds;
import io.entroq.simulator.virtual.SeededRandom;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Draws, writes and reads docs. A content of {@link #HEADER_BYTES} or more names its write and the
 * doc's keys, so that every reader can check it. A change keeps the doc's keys. These may differ
 * from what the writer knows, if the id belongs to another doc whose set has the same version by
 * then, or if something was lost; such keys are not checked here.
 */
final class DocContents {
  static final int HEADER_BYTES = 32;
  private static final int VALUE_BYTES_MAX = 8 << 10;
  private static final long STEP = 0x9e3779b97f4a7c15L;
  private static final int REUSED_IDS = 60;
  private static final byte[] NULL = {8, 0};

  /** A flag in the content: the write was an insert. */
  private static final long IS_INSERT = 1L << 63;

  private static final long KEYS = (1L << 32) - 1;

  private final ClientContext context;
  private final SeededRandom ids;
  private final long seed;
  private final DocCatalog catalog;
  private final DocDataFields fields = new DocDataFields();
  private final UnsafeBuffer scratch = new UnsafeBuffer(new byte[VALUE_BYTES_MAX]);
  private long made;

  DocContents(ClientContext context, SeededRandom ids) {
    this.context = context;
    this.ids = ids;
    this.seed = ids.next();
    this.catalog = context.catalog;
  }

  // Drawing.

  /** A doc to insert, mostly with a new id. */
  KnownDoc fresh(SeededRandom random, int namespace) {
    KnownDoc doc = new KnownDoc();
    made++;
    doc.namespace = namespace;
    if (ids.oneIn(8)) {
      // The same id may be used in all namespaces.
      int which = ids.below(REUSED_IDS);
      TaskIds.reused(doc, SeededRandom.mix(seed - which), SeededRandom.mix(seed + which));
    } else if (ids.oneIn(20)) {
      TaskIds.withText(doc, SeededRandom.mix(seed ^ made), SeededRandom.mix(seed + made));
    } else {
      TaskIds.withoutText(doc, SeededRandom.mix(seed ^ made), SeededRandom.mix(seed + made));
    }
    doc.key = DocCatalog.anyKey(random, namespace);
    doc.secondaryKey = DocCatalog.anyKey(random, DocCatalog.LASTING - 1);
    doc.isInsert = true;
    fill(random, doc);
    return doc;
  }

  /** A doc with another content, after a change that holds its set for a while or not. */
  KnownDoc rewritten(SeededRandom random, KnownDoc doc, long holdMs, long byMs) {
    KnownDoc content = doc.copy();
    content.version = doc.version + 1;
    content.writtenVersion = content.version;
    content.isInsert = false;
    content.holdMs = holdMs;
    content.byMs = byMs;
    fill(random, content);
    return content;
  }

  private void fill(SeededRandom random, KnownDoc doc) {
    doc.write = context.nextWrite();
    int which = random.below(100);
    doc.valueKind = ValueKinds.BYTES;
    if (which < 4) {
      doc.valueKind = ValueKinds.ABSENT;
      doc.valueLength = 0;
    } else if (which < 6) {
      doc.valueKind = ValueKinds.JSON;
      doc.valueLength = NULL.length;
    } else if (which < 12) {
      doc.valueLength = random.below(HEADER_BYTES);
    } else {
      doc.valueLength = HEADER_BYTES + random.below(which < 97 ? 100 : VALUE_BYTES_MAX / 2);
    }
  }

  // Writing.

  /** A doc or set to depend on, or a doc to delete, for an encoder. */
  DocDataFields reference(KnownDoc doc) {
    fields.clear();
    catalog.namespaces.text(doc.namespace, fields.namespace());
    if (doc.isSet()) {
      catalog.keys.text(doc.key, fields.key());
    } else {
      TaskIds.set(fields.id(), doc.idHigh, doc.idLow);
    }
    return fields.version(sentVersion(doc));
  }

  /** The version of a doc in a request. */
  static int sentVersion(KnownDoc doc) {
    return doc.leavesVersion ? 0 : doc.version;
  }

  /** A doc to insert, for an encoder. */
  DocDataFields insert(KnownDoc doc) {
    reference(doc).version(0);
    keys(doc.key, doc.secondaryKey);
    return content(doc);
  }

  /** A doc to change, for an encoder. Other keys are ignored. */
  DocDataFields change(KnownDoc doc, KnownDoc content, boolean namesOtherKeys) {
    reference(doc);
    if (namesOtherKeys) {
      keys(DocCatalog.FIRST_KEY, DocCatalog.FIRST_KEY);
    }
    return content(content);
  }

  /** A set whose lease changes, for an encoder. */
  DocDataFields lease(KnownDoc set, long byMs) {
    return reference(set).byMs(byMs).mode(ChangeModes.LEASE);
  }

  private void keys(int key, int secondaryKey) {
    catalog.keys.text(key, fields.key());
    catalog.keys.text(secondaryKey, fields.secondaryKey());
  }

  private DocDataFields content(KnownDoc doc) {
    int length = doc.valueLength;
    if (doc.valueKind == ValueKinds.JSON) {
      scratch.putBytes(0, NULL);
    } else if (length < HEADER_BYTES) {
      for (int i = 0; i < length; i++) {
        scratch.putByte(i, (byte) (doc.idLow + i));
      }
    } else {
      put(0, doc.write);
      long facts = facts(doc);
      put(8, facts);
      put(16, SeededRandom.mix(doc.idHigh ^ doc.idLow ^ doc.namespace));
      put(24, seal(doc, facts));
      for (int at = HEADER_BYTES; at < length; at++) {
        scratch.putByte(at, (byte) fill(doc, at));
      }
    }
    fields.valueKind(doc.valueKind).value().wrap(scratch, 0, length);
    return fields.arrivalMs(doc.holdMs).byMs(doc.byMs);
  }

  private void put(int at, long value) {
    scratch.putLong(at, value, ByteOrder.LITTLE_ENDIAN);
  }

  private static long facts(KnownDoc doc) {
    return keysOf(doc) | ((long) doc.writtenVersion << 32) | (doc.isInsert ? IS_INSERT : 0);
  }

  private static long keysOf(KnownDoc doc) {
    return doc.key | ((long) doc.secondaryKey << 16);
  }

  private static long seal(KnownDoc doc, long facts) {
    return SeededRandom.mix((doc.write + STEP * facts) ^ doc.valueLength);
  }

  private static long fill(KnownDoc doc, int at) {
    return ((doc.write + at) * STEP) >>> 40;
  }

  // Reading.

  /**
   * Reads and checks a doc or set of a reply.
   *
   * @param withValue whether the reply contains the content
   */
  KnownDoc read(DocDecoder doc, DirectBuffer buffer, boolean withValue) {
    KnownDoc known = new KnownDoc();
    known.namespace =
        catalog.namespaces.number(buffer, doc.namespaceOffset(), doc.namespaceLength());
    known.idHigh = doc.idHigh();
    known.idLow = doc.idLow();
    int textLength = TaskIds.textLength(known.idHigh);
    check(doc.idTextLength() == textLength, known, "text of the id");
    known.version = doc.version();
    known.arrivalMs = doc.arrivalMs();
    known.key = catalog.keys.number(buffer, doc.keyOffset(), doc.keyLength());
    known.secondaryKey =
        catalog.keys.number(buffer, doc.secondaryKeyOffset(), doc.secondaryKeyLength());
    known.valueKind = doc.valueKind();
    known.valueLength = doc.valueLength();
    if (withValue) {
      readContent(known, doc, buffer);
    } else {
      check(known.valueKind == ValueKinds.ABSENT, known, "no content");
    }
    return known;
  }

  private void readContent(KnownDoc known, DocDecoder doc, DirectBuffer buffer) {
    int at = doc.valueOffset();
    if (known.valueKind == ValueKinds.JSON) {
      check(known.valueLength == NULL.length && buffer.getByte(at) == NULL[0], known, "content");
    } else if (known.valueLength < HEADER_BYTES) {
      for (int i = 0; i < known.valueLength; i++) {
        check(buffer.getByte(at + i) == (byte) (known.idLow + i), known, "content");
      }
    } else {
      known.write = get(buffer, at);
      long facts = get(buffer, at + 8);
      known.writtenVersion = (int) (facts >>> 32) & Integer.MAX_VALUE;
      known.isInsert = (facts & IS_INSERT) != 0;
      check((facts & KEYS) == keysOf(known) || mayHaveOthers(known), known, "keys");
      long id = SeededRandom.mix(known.idHigh ^ known.idLow ^ known.namespace);
      check(get(buffer, at + 16) == id, known, "id in the content");
      check(get(buffer, at + 24) == seal(known, facts), known, "content");
      for (int i = HEADER_BYTES; i < known.valueLength; i++) {
        check(buffer.getByte(at + i) == (byte) fill(known, i), known, "content");
      }
      Invariant.SET_VERSIONS_BY_ONE.require(
          known.version >= known.writtenVersion, known, known.writtenVersion, known.version);
    }
  }

  /** Whether its keys may differ from those that its writer knew. */
  private boolean mayHaveOthers(KnownDoc known) {
    return !known.isInsert && !hasKeys(known);
  }

  /** Whether a doc certainly has the keys that clients have seen. */
  boolean hasKeys(KnownDoc doc) {
    return !TaskIds.isReused(doc.idHigh) && !context.hasLost();
  }

  private static long get(DirectBuffer buffer, int at) {
    return buffer.getLong(at, ByteOrder.LITTLE_ENDIAN);
  }

  private static void check(boolean isGood, KnownDoc known, String what) {
    Invariant.DOCS_AS_WRITTEN.require(isGood, known, what + " as it was written", "another");
  }
}
