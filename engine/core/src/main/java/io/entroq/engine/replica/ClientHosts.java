package io.entroq.engine.replica;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.entroq.engine.state.StateMachine;
import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Maps each client with its own identity to the engine of its last request: when that engine is
 * gone, the client is presumed gone, too. It depends only on the order of commands, so it is the
 * same on every replica; snapshots contain it beside the state.
 *
 * <p>It contains only clients that the state knows, so it is bounded as they are. Applying thread.
 */
public final class ClientHosts {
  private static final int HIGH = 0;
  private static final int LOW = 1;
  private static final int HOLDER = 2;
  private static final int STRIDE = 3;
  private static final int ENTRY_BYTES = STRIDE * Long.BYTES;
  private static final int CAPACITY_FIRST = 64;

  /** Open addressing; host 0 marks a free entry. */
  private long[] table = new long[CAPACITY_FIRST * STRIDE];

  private int size;

  /** No client has a host. */
  public ClientHosts() {}

  /**
   * A client has made a request through an engine.
   *
   * @param incarnation of the engine, not 0
   */
  void note(long clientHigh, long clientLow, long incarnation, StateMachine machine) {
    int at = find(clientHigh, clientLow);
    if (table[at + HOLDER] == 0) {
      if (2 * (size + 1) * STRIDE > table.length) {
        rebuild(machine);
        at = find(clientHigh, clientLow);
      }
      size++;
    }
    put(at, clientHigh, clientLow, incarnation);
  }

  /** The incarnation of a client's engine; 0: none is known. */
  long of(long clientHigh, long clientLow) {
    return table[find(clientHigh, clientLow) + HOLDER];
  }

  /** Removes clients that the state has forgotten, and doubles the capacity for the rest. */
  private void rebuild(StateMachine machine) {
    long[] old = table;
    int known = 0;
    for (int at = 0; at < old.length; at += STRIDE) {
      if (old[at + HOLDER] != 0 && machine.hasClient(old[at + HIGH], old[at + LOW])) {
        known++;
      } else {
        old[at + HOLDER] = 0;
      }
    }
    int capacity = Math.max(CAPACITY_FIRST, Integer.highestOneBit(Math.max(1, known)) * 8);
    table = new long[capacity * STRIDE];
    size = known;
    for (int at = 0; at < old.length; at += STRIDE) {
      if (old[at + HOLDER] != 0) {
        put(find(old[at + HIGH], old[at + LOW]), old[at + HIGH], old[at + LOW], old[at + HOLDER]);
      }
    }
  }

  private void put(int at, long high, long low, long holder) {
    table[at + HIGH] = high;
    table[at + LOW] = low;
    table[at + HOLDER] = holder;
  }

  /** Index of the client's entry, or of the free one for it. */
  private int find(long high, long low) {
    int mask = table.length / STRIDE - 1;
    long bits = (high ^ Long.rotateLeft(low, 32)) * 0x9E37_79B9_7F4A_7C15L;
    int slot = (int) (bits >>> 32) & mask;
    int at = slot * STRIDE;
    while (table[at + HOLDER] != 0 && (table[at + HIGH] != high || table[at + LOW] != low)) {
      slot = (slot + 1) & mask;
      at = slot * STRIDE;
    }
    return at;
  }

  /**
   * Writes the clients that a state knows, 24 bytes each: identity and host, little endian.
   *
   * @param buffer grows as needed
   * @return how many bytes there are
   */
  public int write(MutableDirectBuffer buffer, StateMachine machine) {
    int length = 0;
    for (int at = 0; at < table.length; at += STRIDE) {
      if (table[at + HOLDER] != 0 && machine.hasClient(table[at + HIGH], table[at + LOW])) {
        for (int i = 0; i < STRIDE; i++) {
          buffer.putLong(length + i * Long.BYTES, table[at + i], LITTLE_ENDIAN);
        }
        length += ENTRY_BYTES;
      }
    }
    return length;
  }

  /**
   * Reads what {@link #write} has written.
   *
   * @throws IllegalArgumentException if the bytes are something else
   */
  public static ClientHosts read(DirectBuffer buffer, int offset, int length) {
    if (length % ENTRY_BYTES != 0) {
      throw new IllegalArgumentException("holders of callers in " + length + " bytes");
    }
    ClientHosts holders = new ClientHosts();
    int count = length / ENTRY_BYTES;
    holders.table = new long[Math.max(CAPACITY_FIRST, Integer.highestOneBit(count) * 8) * STRIDE];
    for (int i = 0; i < count; i++) {
      holders.read(buffer, offset + i * ENTRY_BYTES);
    }
    return holders;
  }

  private void read(DirectBuffer buffer, int from) {
    long high = buffer.getLong(from, LITTLE_ENDIAN);
    long low = buffer.getLong(from + Long.BYTES, LITTLE_ENDIAN);
    long holder = buffer.getLong(from + HOLDER * Long.BYTES, LITTLE_ENDIAN);
    int at = find(high, low);
    if (holder == 0 || table[at + HOLDER] != 0) {
      throw new IllegalArgumentException("a client without a host, or listed twice");
    }
    put(at, high, low, holder);
    size++;
  }

  /** How many clients there are, including those the state may have forgotten. */
  int size() {
    return size;
  }

  /** A hash over all entries, independent of their order; 0: there are none. */
  public long hash(StateMachine machine) {
    long sum = 0;
    for (int at = 0; at < table.length; at += STRIDE) {
      if (table[at + HOLDER] != 0 && machine.hasClient(table[at + HIGH], table[at + LOW])) {
        sum += Arrays.hashCode(new long[] {table[at + HIGH], table[at + LOW], table[at + HOLDER]});
      }
    }
    return sum;
  }
}
