package io.entroq.engine.waiter;

import io.entroq.codec.snapshot.ChunkKinds;
import io.entroq.engine.memory.ChunkWriter;
import org.agrona.UnsafeApi;

/** Writes frozen parked claims and their memberships. */
public final class WaiterImage {

  private static final int WAITER_BYTES = 80;
  private static final int MEMBERSHIP_BYTES = 16;

  private WaiterImage() {}

  public static void writeWaiter(int slot, long record, ChunkWriter out) {
    out.begin(ChunkKinds.WAITERS, WAITER_BYTES);
    out.putInt(slot);
    out.putInt(UnsafeApi.getInt(record + WaiterStore.CLAIMANT_TEXT));
    out.putLong(UnsafeApi.getLong(record + WaiterStore.SEQUENCE));
    out.putLong(UnsafeApi.getLong(record + WaiterStore.CLIENT_HIGH));
    out.putLong(UnsafeApi.getLong(record + WaiterStore.CLIENT_LOW));
    out.putLong(UnsafeApi.getLong(record + WaiterStore.NUMBER));
    out.putLong(UnsafeApi.getLong(record + WaiterStore.CLAIMANT_HIGH));
    out.putLong(UnsafeApi.getLong(record + WaiterStore.CLAIMANT_LOW));
    out.putLong(UnsafeApi.getLong(record + WaiterStore.LEASE));
    out.putLong(UnsafeApi.getLong(record + WaiterStore.DEADLINE));
    out.putInt(UnsafeApi.getInt(record + WaiterStore.LIMIT));
    out.putInt(UnsafeApi.getInt(record + WaiterStore.FIRST_MEMBERSHIP));
  }

  public static void writeMembership(int slot, long record, ChunkWriter out) {
    out.begin(ChunkKinds.MEMBERSHIPS, MEMBERSHIP_BYTES);
    out.putInt(slot);
    out.putInt(UnsafeApi.getInt(record + WaiterStore.WAITER));
    out.putInt(UnsafeApi.getInt(record + WaiterStore.QUEUE));
    out.putInt(UnsafeApi.getInt(record + WaiterStore.NEXT_OF_WAITER));
  }
}
