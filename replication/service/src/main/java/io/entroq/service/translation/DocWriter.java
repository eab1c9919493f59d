package io.entroq.service.translation;

import com.google.protobuf.ByteString;
import io.entroq.codec.command.DocDataFields;
import io.entroq.codec.message.ChangeModes;
import io.entroq.codec.message.ValueKinds;
import io.entroq.codec.wire.IdKey;
import io.entroq.codec.wire.edge.ChangeMode;
import io.entroq.codec.wire.edge.DocChange;
import io.entroq.codec.wire.edge.DocData;
import io.entroq.codec.wire.edge.DocID;

/**
 * Checks the docs of v1 requests and prepares them for encoding. Reused; one thread. Its results
 * are valid until the next call.
 */
final class DocWriter {
  private final DocDataFields doc = new DocDataFields();
  private final BytesView bytes = new BytesView();

  /**
   * A doc to insert. The server sets when it was created and modified, whatever the request says.
   *
   * @param id of {@link RequestIdentities#newDocId}, or given
   */
  DocDataFields insert(DocData request, IdKey id, int valueBytesMax) {
    begin(request.getNamespace(), id);
    doc.key().wrap(FieldWriter.checkedUtf8("key", request.getKey()));
    doc.secondaryKey().wrap(FieldWriter.checkedUtf8("secondary_key", request.getSecondaryKey()));
    data(request, valueBytesMax);
    return doc;
  }

  /** A doc to change, without its keys, which never change; or a doc set whose lease changes. */
  DocDataFields change(DocChange request, int valueBytesMax) {
    if (request.getMode() == ChangeMode.CHANGE_LEASE) {
      set(request.getOldId());
      return arrival(request.getNewData()).mode(ChangeModes.LEASE);
    }
    if (!request.hasOldId()) {
      throw RefusedException.invalid("old_id: missing");
    }
    if (!request.hasNewData()) {
      throw RefusedException.invalid("new_data: missing");
    }
    try {
      ref(request.getOldId());
    } catch (RefusedException e) {
      throw e.in("old_id");
    }
    try {
      data(request.getNewData(), valueBytesMax);
    } catch (RefusedException e) {
      throw e.in("new_data");
    }
    return doc;
  }

  /** A doc to delete or to depend on, or a doc set to depend on. */
  DocDataFields ref(DocID request) {
    if (request.hasKey()) {
      return set(request);
    }
    begin(
        request.getNamespace(),
        FieldWriter.itemId(Facade.V1, request.getId(), request.getVersion()));
    return doc.version(request.getVersion());
  }

  private DocDataFields set(DocID set) {
    begin(set.getNamespace(), IdKey.NOBODY);
    doc.key().wrap(FieldWriter.checkedUtf8("key", set.getKey()));
    return doc.version(set.getVersion());
  }

  private void begin(String namespace, IdKey id) {
    doc.clear();
    doc.namespace().wrap(namespace(namespace));
    FieldWriter.set(doc.id(), id);
  }

  /** The name of a namespace. What is said to be in none does not exist. */
  static byte[] namespace(String name) {
    return FieldWriter.checkedUtf8("namespace", name.isEmpty() ? FieldWriter.NOWHERE : name);
  }

  private void data(DocData request, int valueBytesMax) {
    arrival(request);
    if (request.hasRaw()) {
      raw(request, valueBytesMax);
    } else if (request.hasContent()) {
      ByteString content = request.getContent();
      FieldWriter.checkValue("content", ValueKinds.JSON, content, valueBytesMax);
      doc.valueKind(ValueKinds.JSON);
      bytes.show(content, doc.value());
    }
  }

  private DocDataFields arrival(DocData request) {
    return doc.arrivalMs(request.getAtMs()).byMs(request.getByMs());
  }

  private void raw(DocData request, int valueBytesMax) {
    if (request.hasContent()) {
      throw RefusedException.invalid("raw: content is set too");
    }
    FieldWriter.checkValue("raw", ValueKinds.BYTES, request.getRaw(), valueBytesMax);
    doc.valueKind(ValueKinds.BYTES);
    bytes.show(request.getRaw(), doc.value());
  }
}
