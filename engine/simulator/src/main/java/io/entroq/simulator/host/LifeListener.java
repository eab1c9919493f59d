package io.entroq.simulator.host;

/** Hears of the lives of an engine. */
public interface LifeListener {
  /** An engine has been opened. */
  void onOpened();

  /** Something is lost that replies have told of, which was not promised to last. */
  void onLoss();

  /** More log time has passed than real time, so that leases were shorter than they said. */
  void onTimeLeap();
}
