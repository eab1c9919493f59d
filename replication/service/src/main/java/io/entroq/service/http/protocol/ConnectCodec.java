package io.entroq.service.http.protocol;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.entroq.service.protojson.Defaults;
import io.entroq.service.protojson.JsonReader;
import io.entroq.service.protojson.JsonWriter;
import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;
import java.nio.charset.StandardCharsets;

/** The encodings of Connect. */
public enum ConnectCodec {
  /** JSON in UTF-8. */
  JSON("json") {
    @Override
    public void read(byte[] bytes, Message.Builder message) {
      JsonReader.read(bytes, message);
    }

    @Override
    public byte[] write(Message message, Defaults defaults) {
      return JsonWriter.write(message, defaults).getBytes(StandardCharsets.UTF_8);
    }
  },

  /** Protobuf, as in gRPC. */
  PROTO("proto") {
    @Override
    public void read(byte[] bytes, Message.Builder message) {
      try {
        message.mergeFrom(bytes);
      } catch (InvalidProtocolBufferException e) {
        throw new RefusedException(Refusal.invalid("unmarshal message: " + e.getMessage()));
      }
    }

    @Override
    public byte[] write(Message message, Defaults defaults) {
      return message.toByteArray();
    }
  };

  private final String subtype;

  ConnectCodec(String subtype) {
    this.subtype = subtype;
  }

  /** The name in media types. */
  public String subtype() {
    return subtype;
  }

  /**
   * @throws RefusedException if the bytes are not a message
   */
  public abstract void read(byte[] bytes, Message.Builder message);

  /**
   * @param defaults in JSON
   */
  public abstract byte[] write(Message message, Defaults defaults);
}
