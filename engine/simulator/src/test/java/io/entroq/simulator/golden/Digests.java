package io.entroq.simulator.golden;

import io.entroq.engine.state.StateMachine;
import java.util.HexFormat;

/**
 * The expected digests of a state machine after a record; one line each in a file.
 *
 * @param sequence of the record
 * @param history digest of the history
 * @param content digest of the content
 */
record Digests(long sequence, long history, long content) {
  private static final int RADIX = 16;

  static Digests of(StateMachine machine) {
    return new Digests(machine.sequence(), machine.historyDigest(), machine.contentDigest());
  }

  static Digests parse(String line) {
    String[] parts = line.split(" ", -1);
    return new Digests(
        Long.parseLong(parts[0]),
        Long.parseUnsignedLong(parts[1], RADIX),
        Long.parseUnsignedLong(parts[2], RADIX));
  }

  @Override
  public String toString() {
    HexFormat hex = HexFormat.of();
    return sequence + " " + hex.toHexDigits(history) + " " + hex.toHexDigits(content);
  }
}
