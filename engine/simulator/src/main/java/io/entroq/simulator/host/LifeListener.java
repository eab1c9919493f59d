package io.entroq.simulator.host;

/** Observes the lives of an engine. */
public interface LifeListener {
  /** An engine has been opened. */
  void onOpened();

  /** Something that replies have shown is lost, as the durability permits. */
  void onLoss();

  /** Log time has jumped ahead of real time, so leases were shorter than requested. */
  void onTimeLeap();
}
