// The scenarios, in the order in which they are played.
import * as asking from './scenarios/asking.mjs';
import * as changes from './scenarios/changes.mjs';
import * as demo from './scenarios/demo.mjs';
import * as inside from './scenarios/embedded.mjs';
import * as forms from './scenarios/forms.mjs';
import * as links from './scenarios/links.mjs';
import * as processes from './scenarios/processes.mjs';
import * as signin from './scenarios/signin.mjs';
import * as stops from './scenarios/stops.mjs';
import * as tools from './scenarios/tools.mjs';

export const scenarios = {
  start: tools.start,
  icons: tools.icons,
  lists: tools.lists,
  call: tools.call,
  confirmation: tools.confirmation,
  'confirmation-part': tools.confirmationPart,
  failure: tools.failure,
  'form-wizard': forms.wizard,
  'form-kinds': forms.kinds,
  'form-dismissed': forms.dismissed,
  'form-wrong-answer': forms.wrongAnswer,
  'form-cards': forms.cards,
  'form-left': forms.leftCard,
  'form-continue': forms.continued,
  'questions-at-once': forms.both,
  'link-message': links.message,
  'link-part': links.part,
  'link-again': links.again,
  'link-declined': links.declined,
  'link-refused': links.refused,
  sampling: asking.sampling,
  'sampling-refused': asking.samplingRefused,
  roots: asking.roots,
  progress: tools.progress,
  'progress-unseen': tools.progressUnseen,
  'stop-question': stops.question,
  'stop-work': stops.work,
  'stop-later': stops.later,
  'stop-answered': stops.answered,
  'stop-form': stops.form,
  'stop-message': stops.message,
  'stop-link': stops.link,
  'stop-site': stops.site,
  'stop-consent': stops.consent,
  'stop-roots': stops.roots,
  'list-changed': changes.listChanged,
  resources: changes.resources,
  template: changes.template,
  updated: changes.updated,
  closed: changes.closed,
  completion: changes.completion,
  'log-level': changes.logLevel,
  environment: processes.environment,
  'two-servers': processes.sideBySide,
  rounds: processes.rounds,
  demo: demo.list,
  'demo-questions': demo.questions,
  'demo-refused': demo.refused,
  'sign-in': signin.first,
  'sign-in-more': signin.stepUp,
  embedded: inside.embedded,
  crash: processes.crash,
  stop: processes.stop,
  'stop-busy': processes.stopBusy,
  'stop-stubborn': processes.stopStubborn,
  killed: processes.killed, // the last, as it takes the extension with it
};
