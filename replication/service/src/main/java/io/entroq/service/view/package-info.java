/**
 * Calls as of an earlier point: {@link io.entroq.service.view.ViewService} hands each call that
 * names one to a service of the state as of then. What is in that service does not know of it.
 *
 * <p>Any thread; nothing blocks. It is a package of its own because it stands between all others
 * and the engine.
 */
package io.entroq.service.view;
