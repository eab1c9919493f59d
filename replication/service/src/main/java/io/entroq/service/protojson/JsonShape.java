package io.entroq.service.protojson;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import io.entroq.codec.wire.published.feed.PublishedFeedProto;
import io.entroq.codec.wire.published.insight.PublishedInsightProto;
import io.entroq.codec.wire.published.queues.PublishedQueuesProto;
import io.entroq.codec.wire.published.v1.PublishedV1Proto;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** The fields of a message type, in output order. */
final class JsonShape {
  private static final Map<Descriptor, JsonShape> SHAPES = new ConcurrentHashMap<>();

  private final List<JsonField> fields = new ArrayList<>();
  private final Map<String, JsonField> byName = new HashMap<>();

  private JsonShape(Descriptor type) {
    Descriptor published =
        Stream.of(
                PublishedV1Proto.getDescriptor(),
                PublishedQueuesProto.getDescriptor(),
                PublishedFeedProto.getDescriptor(),
                PublishedInsightProto.getDescriptor())
            .map(schema -> schema.findMessageTypeByName(type.getName()))
            .filter(Objects::nonNull)
            .findFirst()
            .orElseThrow();
    for (FieldDescriptor field : type.getFields()) {
      add(field, JsonKind.of(field, published.findFieldByNumber(field.getNumber())));
    }
  }

  private void add(FieldDescriptor field, JsonKind kind) {
    JsonShape inner = kind == JsonKind.MESSAGE ? of(field.getMessageType()) : null;
    JsonField added = new JsonField(field, kind, inner, fields.size());
    fields.add(added);
    byName.put(field.getName(), added);
    byName.put(field.getJsonName(), added);
  }

  static JsonShape of(Descriptor type) {
    JsonShape known = SHAPES.get(type);
    if (known == null) {
      // Not computeIfAbsent: shapes contain shapes.
      known = new JsonShape(type);
      SHAPES.put(type, known);
    }
    return known;
  }

  List<JsonField> fields() {
    return fields;
  }

  /** The field with this JSON or schema name; null if there is none. */
  JsonField field(String name) {
    return byName.get(name);
  }
}
