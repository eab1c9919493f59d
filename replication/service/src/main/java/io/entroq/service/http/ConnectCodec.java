package io.entroq.service.http;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.entroq.service.edge.Refusal;
import io.entroq.service.edge.RefusedException;
import io.entroq.service.json.JsonReader;
import io.entroq.service.json.JsonWriter;
import java.nio.charset.StandardCharsets;

/** What Connect writes messages in. */
enum ConnectCodec {
  /** JSON in UTF-8. */
  JSON("json") {
    @Override
    void read(byte[] bytes, Message.Builder message) {
      JsonReader.read(bytes, message);
    }

    @Override
    byte[] write(Message message) {
      return JsonWriter.write(message).getBytes(StandardCharsets.UTF_8);
    }
  },

  /** As gRPC does. */
  PROTO("proto") {
    @Override
    void read(byte[] bytes, Message.Builder message) {
      try {
        message.mergeFrom(bytes);
      } catch (InvalidProtocolBufferException e) {
        throw new RefusedException(Refusal.invalid("unmarshal message: " + e.getMessage()));
      }
    }

    @Override
    byte[] write(Message message) {
      return message.toByteArray();
    }
  };

  private final String word;

  ConnectCodec(String word) {
    this.word = word;
  }

  /** How it is called in the types of bodies. */
  String word() {
    return word;
  }

  /**
   * Reads a message.
   *
   * @throws RefusedException if it is none
   */
  abstract void read(byte[] bytes, Message.Builder message);

  abstract byte[] write(Message message);
}
