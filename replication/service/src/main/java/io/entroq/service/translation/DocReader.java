package io.entroq.service.translation;

import com.google.protobuf.UnsafeByteOperations;
import io.entroq.codec.message.ValueKinds;
import io.entroq.codec.result.DocDecoder;
import io.entroq.codec.result.NamespaceStatsDecoder;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.codec.wire.edge.Doc;
import io.entroq.codec.wire.edge.DocData;
import io.entroq.codec.wire.edge.DocID;
import io.entroq.codec.wire.edge.NamespaceStat;
import java.time.Instant;

/** Converts the docs and namespaces of a result for responses. Any thread. */
final class DocReader {
  private final boolean showsRaw;
  private final TextReader texts;

  /** Reads a result while it is valid. */
  DocReader(ResultDecoder result) {
    this(result, false);
  }

  /**
   * Reads a result while it is valid.
   *
   * @param showsRaw whether byte contents are shown as bytes
   */
  DocReader(ResultDecoder result, boolean showsRaw) {
    this.showsRaw = showsRaw;
    this.texts = new TextReader(result);
  }

  /** A complete doc. */
  Doc whole(DocDecoder doc) {
    Doc.Builder builder = common(doc).setId(id(doc));
    if (doc.valueKind() != ValueKinds.ABSENT) {
      byte[] content = texts.bytes(doc.valueOffset(), doc.valueLength());
      if (showsRaw && doc.valueKind() == ValueKinds.BYTES) {
        builder.setRaw(UnsafeByteOperations.unsafeWrap(content));
      } else {
        builder.setContent(Facade.V1.showValue(doc.valueKind(), content));
      }
    }
    return builder.build();
  }

  /**
   * A doc whose content, and perhaps keys, the caller has just sent.
   *
   * @param id the caller's; empty if it gave none
   */
  Doc sent(DocDecoder doc, DocData data, String id) {
    // A receipt has only the hash of an id, and no keys.
    Doc.Builder builder = common(doc).setId(id.isEmpty() ? id(doc) : id);
    if (data.hasContent()) {
      builder.setContent(data.getContent());
    }
    if (data.hasRaw()) {
      builder.setRaw(data.getRaw());
    }
    if (builder.getKey().isEmpty()) {
      builder.setKey(data.getKey());
    }
    if (builder.getSecondaryKey().isEmpty()) {
      builder.setSecondaryKey(data.getSecondaryKey());
    }
    return builder.build();
  }

  /** A doc set: what its docs have in common, and their number. */
  Doc set(DocDecoder set) {
    return common(set).setLen(set.docs()).build();
  }

  /** The id and version of a doc. */
  DocID ref(DocDecoder doc) {
    return name(doc).setId(id(doc)).build();
  }

  /** The key and version of a doc set. */
  DocID setRef(DocDecoder set) {
    return name(set).setKey(key(set)).build();
  }

  private DocID.Builder name(DocDecoder doc) {
    return DocID.newBuilder()
        .setNamespace(texts.text(doc.namespaceOffset(), doc.namespaceLength()))
        .setVersion(doc.version());
  }

  private String key(DocDecoder doc) {
    return texts.text(doc.keyOffset(), doc.keyLength());
  }

  /** Who holds a doc set, and until when, for people. */
  String holder(DocDecoder set) {
    return "doc set \"%s\" in namespace \"%s\" is claimed by %s until %s"
        .formatted(
            key(set),
            texts.text(set.namespaceOffset(), set.namespaceLength()),
            claimant(set),
            Instant.ofEpochMilli(set.arrivalMs()));
  }

  private Doc.Builder common(DocDecoder doc) {
    return Doc.newBuilder()
        .setNamespace(texts.text(doc.namespaceOffset(), doc.namespaceLength()))
        .setVersion(doc.version())
        .setClaimant(claimant(doc))
        .setAtMs(doc.arrivalMs())
        .setKey(key(doc))
        .setSecondaryKey(texts.text(doc.secondaryKeyOffset(), doc.secondaryKeyLength()))
        .setCreatedMs(doc.createdMs())
        .setModifiedMs(doc.modifiedMs());
  }

  private String claimant(DocDecoder doc) {
    return Facade.V1.showId(
        doc.claimantHigh(),
        doc.claimantLow(),
        texts.text(doc.claimantTextOffset(), doc.claimantTextLength()));
  }

  private String id(DocDecoder doc) {
    return Facade.V1.showId(
        doc.idHigh(), doc.idLow(), texts.text(doc.idTextOffset(), doc.idTextLength()));
  }

  /** A namespace with its statistics. */
  NamespaceStat figures(NamespaceStatsDecoder namespace) {
    return NamespaceStat.newBuilder()
        .setName(texts.text(namespace.nameOffset(), namespace.nameLength()))
        .setNumDocs(Facade.count(namespace.docs()))
        .setNumClaimed(Facade.count(namespace.claimed()))
        .build();
  }
}
