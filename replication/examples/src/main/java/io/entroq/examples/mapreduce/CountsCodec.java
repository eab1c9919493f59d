package io.entroq.examples.mapreduce;

import io.entroq.api.Value;
import io.entroq.examples.mapreduce.text.WordCounts;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Encodes word counts as the value of a task: a number, then for each word its length in bytes, its
 * bytes in UTF-8 and its count. Numbers are unsigned LEB128 varints.
 */
final class CountsCodec {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  private CountsCodec() {}

  /** Encodes all counts as one value. */
  static Value encode(int ordinal, WordCounts counts) {
    return encode(ordinal, counts, Integer.MAX_VALUE).get(0);
  }

  /** Encodes the counts as one or more values; a value ends once it has this many bytes. */
  static List<Value> encode(int ordinal, WordCounts counts, int valueBytes) {
    List<Value> values = new ArrayList<>();
    CountsCodec codec = new CountsCodec();
    codec.putNumber(ordinal);
    for (Map.Entry<String, Long> entry : counts.entries()) {
      if (codec.bytes.size() >= valueBytes) {
        values.add(codec.takeValue());
        codec.putNumber(ordinal);
      }
      byte[] word = entry.getKey().getBytes(StandardCharsets.UTF_8);
      codec.putNumber(word.length);
      codec.bytes.writeBytes(word);
      codec.putNumber(entry.getValue());
    }
    values.add(codec.takeValue());
    return values;
  }

  /** The number of a value. */
  static int ordinal(Value value) {
    return Math.toIntExact(getNumber(value.asByteBuffer()));
  }

  /** Adds the counts of a value to {@code counts}. */
  static void decode(Value value, WordCounts counts) {
    ByteBuffer buffer = value.asByteBuffer();
    getNumber(buffer);
    while (buffer.hasRemaining()) {
      byte[] word = new byte[Math.toIntExact(getNumber(buffer))];
      buffer.get(word);
      counts.add(new String(word, StandardCharsets.UTF_8), getNumber(buffer));
    }
  }

  private Value takeValue() {
    Value value = Value.wrap(Value.Kind.BYTES, bytes.toByteArray());
    bytes.reset();
    return value;
  }

  private void putNumber(long number) {
    long rest = number;
    while (rest > 0x7F) {
      bytes.write((int) ((rest & 0x7F) | 0x80));
      rest >>>= 7;
    }
    bytes.write((int) rest);
  }

  private static long getNumber(ByteBuffer buffer) {
    long number = 0;
    int shift = 0;
    byte group;
    do {
      group = buffer.get();
      number |= (group & 0x7FL) << shift;
      shift += 7;
    } while (group < 0);
    return number;
  }
}
